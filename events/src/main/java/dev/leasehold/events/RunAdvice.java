package dev.leasehold.events;

import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Recommended times for a lease, from measured runs.
 *
 * @param runs the number of complete runs that were measured
 * @param losses the number of runs that lost their lease, since the first run
 * @param ttl of the latest measured run, null if there is none
 * @param stall the longest delay of a renewal, null if no lease was ever renewed
 * @param renewed for leases that are renewed while the work runs; null without enough data
 * @param unrenewed for leases that are held without renewal; null without enough data
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
    private static final String LOST = "lost_";

    /** With fewer runs, the worst one says little about the next. */
    public static final int LEAST_RUNS = 5;

    /** Shorter times are never recommended: any machine pauses for a second or two some day. */
    private static final Duration LEAST_TTL = Duration.ofSeconds(10);

    /**
     * A recommended ttl.
     *
     * @param ttl the shortest safe value
     * @param upTo the longest useful value; equal to {@code ttl} if there is no range
     */
    public record Recommendation(Duration ttl, Duration upTo, String reason) {}

    /** From a log; losses are counted since the first run, as {@code explain} counts them. */
    public static RunAdvice of(RunLog.Summary log) {
        long losses = 0;
        for (Map.Entry<String, Long> counter : log.counters().entrySet()) {
            losses += counter.getKey().startsWith(LOST) ? counter.getValue() : 0;
        }
        return of(log.newestFirst(), losses);
    }

    static RunAdvice of(List<RunEntry> entries) {
        long losses = 0;
        for (RunEntry entry : entries) {
            losses += entry.kind().startsWith(LOST) ? 1 : 0;
        }
        return of(entries, losses);
    }

    private static RunAdvice of(List<RunEntry> entries, long losses) {
        List<Duration> whole = new ArrayList<>();
        Duration worstHealthy = Duration.ZERO;
        Duration ttl = null;
        Duration stall = null;
        for (RunEntry entry : entries) {
            RunEntry.Renewals renewals = entry.renewals();
            if (entry.isWholeRun() && renewals != null) {
                whole.add(entry.duration());
            }
            if (entry.kind().equals("ran")) {
                worstHealthy = longer(worstHealthy, entry.duration());
            }
            if (renewals != null) {
                // The entries are sorted newest first.
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

    /**
     * A run that was lost because no renewal came in time stalled for at least its trusted time.
     */
    private static @Nullable Duration worseStall(@Nullable Duration stall, RunEntry entry, RunEntry.Renewals renewals) {
        boolean lostByStall = entry.kind().equals("lost_lapsed") || entry.kind().equals("lost_unreachable");
        if (renewals.count() == 0 && !lostByStall) {
            return stall;
        }
        Duration gap = renewals.longestGap();
        if (lostByStall) {
            gap = longer(gap, LeaseTerms.ofTtl(renewals.ttl()).trustedFor());
        }
        Duration late = gap.minus(renewals.heartbeat());
        Duration known = stall == null ? Duration.ZERO : stall;
        return longer(known, late);
    }

    /**
     * The shortest ttl for which the trusted time covers two missed heartbeats (of a third of the
     * ttl each), the worst stall and the grace.
     */
    private static Recommendation renewedEvery(Duration stall) {
        Duration ttl = LEAST_TTL;
        while (spare(ttl).compareTo(stall) < 0 && ttl.compareTo(LeaseTerms.MAX_TTL) < 0) {
            ttl = nextNice(ttl);
        }
        String least = ttl.equals(LEAST_TTL) ? " (shorter is not recommended: any machine pauses some day)" : "";
        return new Recommendation(
                ttl,
                ttl,
                "with a heartbeat of " + DurationText.show(ttl.dividedBy(3))
                        + " (ttl/3), two heartbeats may be missed and " + DurationText.show(spare(ttl))
                        + " remain for a stall; the worst stall so far was " + DurationText.show(stall) + least
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
                        + "; a crash blocks the next run for as long");
    }

    private static Duration percentile(List<Duration> sorted, int percent) {
        return sorted.isEmpty() ? Duration.ZERO : sorted.get((sorted.size() * percent + 99) / 100 - 1);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** Rounded up to a round number: whole seconds, then fives, then minutes. */
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
