package dev.leasehold.cli.runlog;

import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened to a run, for people to read later.
 *
 * @param kind {@code ran}, {@code failed}, {@code skipped_overlap}, {@code lost_...}, {@code timed_out}, {@code
 *     stale_refused}, {@code already_done}; also the name of the counter that rises
 * @param token the token it ran under, null where it got none
 * @param renewals how its lease was renewed, null where there was none to renew
 */
public record RunEntry(
        Instant at,
        String kind,
        @Nullable FencingToken token,
        Holder holder,
        Duration duration,
        String detail,
        @Nullable Renewals renewals) {

    /**
     * How the lease of a run was renewed.
     *
     * @param longestGap from one renewal to the next, the longest of the run; zero if there was none
     */
    public record Renewals(Duration ttl, Duration heartbeat, long count, Duration longestGap) {}

    public RunEntry(
            Instant at, String kind, @Nullable FencingToken token, Holder holder, Duration duration, String detail) {
        this(at, kind, token, holder, duration, detail, null);
    }

    /** Whether it ran to its end, whatever came of it. */
    public boolean isWholeRun() {
        return kind.equals("ran") || kind.equals("failed");
    }
}
