package dev.leasehold.metrics;

import dev.leasehold.jobs.Outcome;
import dev.leasehold.model.LeaseName;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the slots that ended since the first reading. A sum over the records themselves would fall
 * when a job is forgotten, which looks like a restart: all slots of the other jobs would seem to have
 * ended once more.
 */
final class OutcomeTotals {
    private final Map<Outcome.Kind, Long> totals = new EnumMap<>(Outcome.Kind.class);
    private @Nullable Map<LeaseName, Map<String, Long>> last;

    synchronized void add(JobNumbers numbers) {
        Map<LeaseName, Map<String, Long>> before = last;
        if (before != null) {
            numbers.outcomes().forEach((job, counters) -> add(before.getOrDefault(job, Map.of()), counters));
        }
        Map<LeaseName, Map<String, Long>> known = new HashMap<>(numbers.outcomes());
        if (before != null && numbers.unreadable() > 0) {
            // A record that is damaged and then restored must not be counted from its beginning.
            before.forEach(known::putIfAbsent);
        }
        last = known;
    }

    private void add(Map<String, Long> before, Map<String, Long> now) {
        for (Outcome.Kind kind : Outcome.Kind.values()) {
            long more = now.getOrDefault(kind.word(), 0L) - before.getOrDefault(kind.word(), 0L);
            if (more > 0) {
                totals.merge(kind, more, Long::sum);
            }
        }
    }

    synchronized double of(Outcome.Kind kind) {
        return totals.getOrDefault(kind, 0L);
    }
}
