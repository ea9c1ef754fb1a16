package dev.leasehold.events;

import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the log of runs.
 *
 * @param kind {@code ran}, {@code failed}, {@code skipped_overlap}, {@code lost_...},
 *     {@code timed_out}, {@code stale_refused}, {@code already_done}, {@code not_started},
 *     {@code not_current}, {@code target_unavailable}, {@code target_refused}, {@code interrupted},
 *     {@code killed}, {@code expired}, {@code strict_refused}, {@code changed_outside},
 *     {@code would_refuse}; of an operator {@code paused}, {@code resumed}, {@code started}; also the name of the counter to increment
 * @param token the token of the run, null if it got none
 * @param renewals how its lease was renewed, null if there was no lease
 * @param origin the command and who called it; null in entries of earlier versions, and for what is
 *     no run
 * @param output the last lines that the command printed, if they are kept: of a run that failed or was lost. Safe to show
 */
public record RunEntry(
        Instant at,
        String kind,
        @Nullable FencingToken token,
        Holder holder,
        Duration duration,
        String detail,
        @Nullable Renewals renewals,
        @Nullable RunOrigin origin,
        List<String> output) {

    /**
     * How the lease of a run was renewed.
     *
     * @param longestGap the longest time between two renewals; zero if there was none
     */
    public record Renewals(Duration ttl, Duration heartbeat, long count, Duration longestGap) {}

    public RunEntry(
            Instant at, String kind, @Nullable FencingToken token, Holder holder, Duration duration, String detail) {
        this(at, kind, token, holder, duration, detail, null);
    }

    public RunEntry(
            Instant at,
            String kind,
            @Nullable FencingToken token,
            Holder holder,
            Duration duration,
            String detail,
            @Nullable Renewals renewals) {
        this(at, kind, token, holder, duration, detail, renewals, null, List.of());
    }

    /** This entry with another time. */
    RunEntry datedBy(Instant value) {
        return new RunEntry(value, kind, token, holder, duration, detail, renewals, origin, output);
    }

    /** This entry with its origin. */
    public RunEntry from(RunOrigin value) {
        return new RunEntry(at, kind, token, holder, duration, detail, renewals, value, output);
    }

    /** This entry with the last lines that the command printed. */
    public RunEntry printed(List<String> lines) {
        return new RunEntry(at, kind, token, holder, duration, detail, renewals, origin, lines);
    }

    /** Whether this is how a run ended, and not what happened at one of its targets. */
    public boolean isRun() {
        return origin != null || renewals != null;
    }

    /** Whether the command ran to its end, successfully or not. */
    public boolean isWholeRun() {
        return kind.equals("ran") || kind.equals("failed");
    }
}
