package dev.leasehold.cli.runlog;

import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Times for a lease, from what its runs were measured to take.
 *
 * @param runs how many whole runs it rests on
 * @param losses how many runs lost their lease
 * @param ttl of the latest run that was measured, null if none was
 * @param stall how much later than planned a renewal came, the worst seen; null if nothing was ever renewed
 * @param renewed for leases that are renewed while the work runs; null with too little data
 * @param unrenewed for leases that are held without renewal; null with too little data
 */
public record RunAdvice(
        int runs,
        long losses,
        Duration median,
        Duration p95,
        Duration worst,
        @Nullable Duration ttl,
        @Nullable Duration stall,
        @Nullable Recommendation renewed,
        @Nullable Recommendation unrenewed) {
    /** With fewer the worst of them says little about the next. */
    public static final int LEAST_RUNS = 5;

    /** Shorter ones are not recommended whatever was measured: any machine pauses for a second or two some day. */
    private static final Duration LEAST_TTL = Duration.ofSeconds(10);

    /**
     * @param ttl the shortest that is safe
     * @param upTo where there is room: the longest that makes sense, else the same
     */
    public record Recommendation(Duration ttl, Duration upTo, String reason) {}

    public static RunAdvice of(List<RunEntry> entries) {
        List<Duration> whole = new ArrayList<>();
        Duration worstHealthy = Duration.ZERO;
        Duration ttl = null;
        Duration stall = null;
        long losses = 0;
        for (RunEntry entry : entries) {
            RunEntry.Renewals renewals = entry.renewals();
            losses += entry.kind().startsWith("lost_") ? 1 : 0;
            if (entry.isWholeRun() && renewals != null) {
                whole.add(entry.duration());
            }
            if (entry.kind().equals("ran")) {
                worstHealthy = longer(worstHealthy, entry.duration());
            }
            if (renewals != null) {
                // Newest first, so the first one is the latest.
                ttl = ttl == null ? renewals.ttl() : ttl;
                stall = worseStall(stall, entry, renewals);
            }
        }
        whole.sort(null);
        boolean enough = whole.size() >= LEAST_RUNS;
        return new RunAdvice(
                whole.size(),
                losses,
                percentile(whole, 50),
                percentile(whole, 95),
                percentile(whole, 100),
                ttl,
                stall,
                enough && stall != null ? renewedEvery(stall) : null,
                enough && !worstHealthy.isZero() ? heldFor(worstHealthy) : null);
    }

    /** A run that was lost because nothing was renewed in time stalled at least as long as it was trusted. */
    private static @Nullable Duration worseStall(@Nullable Duration stall, RunEntry entry, RunEntry.Renewals renewals) {
        boolean stalledToDeath =
                entry.kind().equals("lost_lapsed") || entry.kind().equals("lost_unreachable");
        if (renewals.count() == 0 && !stalledToDeath) {
            return stall;
        }
        Duration gap = renewals.longestGap();
        if (stalledToDeath) {
            gap = longer(gap, LeaseTerms.ofTtl(renewals.ttl()).trustedFor());
        }
        Duration late = gap.minus(renewals.heartbeat());
        Duration known = stall == null ? Duration.ZERO : stall;
        return longer(known, late);
    }

    /**
     * Heartbeats come every third of the ttl. Two of them may be missed altogether, and what is left of the trusted time then
     * must cover the worst stall and the grace: the shortest ttl for which it does.
     */
    private static Recommendation renewedEvery(Duration stall) {
        Duration ttl = LEAST_TTL;
        while (spare(ttl).compareTo(stall) < 0 && ttl.compareTo(LeaseTerms.MAX_TTL) < 0) {
            ttl = nextNice(ttl);
        }
        String least = ttl.equals(LEAST_TTL) ? " (less is not recommended: any machine pauses some day)" : "";
        return new Recommendation(
                ttl,
                ttl,
                "with a heartbeat of " + DurationText.show(ttl.dividedBy(3))
                        + " (ttl/3) two heartbeats may be missed and " + DurationText.show(spare(ttl))
                        + " are left for a stall; the worst seen was " + DurationText.show(stall) + least
                        + ". A crash blocks the next run for up to " + DurationText.show(ttl));
    }

    private static Duration spare(Duration ttl) {
        LeaseTerms terms = LeaseTerms.ofTtl(ttl);
        return terms.trustedFor()
                .minus(terms.heartbeat())
                .minus(terms.heartbeat())
                .minus(terms.grace());
    }

    private static Recommendation heldFor(Duration worst) {
        Duration least = nice(worst.multipliedBy(3).dividedBy(2));
        Duration most = nice(worst.multipliedBy(2));
        return new Recommendation(
                least,
                most,
                "1.5 to 2 times the worst healthy run of " + DurationText.show(worst)
                        + "; a crash blocks the next run for up to as long");
    }

    private static Duration percentile(List<Duration> sorted, int percent) {
        return sorted.isEmpty() ? Duration.ZERO : sorted.get((sorted.size() * percent + 99) / 100 - 1);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** Rounded up to what people write: whole seconds, then fives, then minutes. */
    private static Duration nice(Duration duration) {
        long seconds = Math.max(1, (duration.toMillis() + 999) / 1000);
        long step = step(seconds);
        return Duration.ofSeconds((seconds + step - 1) / step * step);
    }

    private static Duration nextNice(Duration duration) {
        return Duration.ofSeconds(duration.toSeconds() + step(duration.toSeconds()));
    }

    private static long step(long seconds) {
        if (seconds < 60) {
            return seconds < 10 ? 1 : 5;
        }
        return seconds < 600 ? 30 : 60;
    }
}
