package dev.leasehold.metrics;

import dev.leasehold.jobs.EndedAttempt;
import dev.leasehold.jobs.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * The counters of what this machine does with the slots of jobs. Skips have a counter of their own,
 * so that an expression such as {@code outcome!="ran"} does not find them among the failures.
 */
final class JobMeters {
    private final Map<Outcome.Kind, Counter> outcomes = new EnumMap<>(Outcome.Kind.class);
    private final Map<EndedAttempt.Kind, Counter> retries = new EnumMap<>(EndedAttempt.Kind.class);
    private final Counter trouble;

    JobMeters(MeterRegistry registry, Tags tags) {
        for (Outcome.Kind kind : Outcome.Kind.values()) {
            outcomes.put(
                    kind,
                    kind == Outcome.Kind.SKIPPED
                            ? LeaseMeters.counter(
                                    registry,
                                    "leasehold.scheduled.skipped_overlap",
                                    "Slots that were not run because an earlier one was still running; not failures",
                                    tags)
                            : LeaseMeters.counter(
                                    registry,
                                    "leasehold.scheduled.outcomes",
                                    "Slots whose outcome this machine recorded, other than skips",
                                    tags.and("outcome", kind.word())));
        }
        for (EndedAttempt.Kind kind : EndedAttempt.Kind.values()) {
            retries.put(
                    kind,
                    LeaseMeters.counter(
                            registry,
                            "leasehold.scheduled.retries",
                            "Attempts on this machine that ended without an outcome; their slots are tried again",
                            tags.and("reason", kind.name().toLowerCase(Locale.ROOT))));
        }
        trouble = LeaseMeters.counter(
                registry, "leasehold.scheduled.trouble", "Times that this machine could not take care of a job", tags);
    }

    void ended(Outcome outcome) {
        Counter counter = outcomes.get(outcome.kind());
        if (counter != null) {
            counter.increment((double) outcome.slots());
        }
    }

    void again(EndedAttempt ended) {
        Counter counter = retries.get(ended.kind());
        if (counter != null) {
            counter.increment();
        }
    }

    void trouble() {
        trouble.increment();
    }
}
