package dev.leasehold.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.jobs.EndedAttempt;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.jobs.Slot;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What a registry says about the jobs that a process runs. */
class JobMetricsTest {
    private static final Instant SLOT = Instant.parse("2026-01-01T00:00:00Z");

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final LeaseMetrics metrics = LeaseMetrics.on(registry);
    private final Job job = Job.named("job").cron("0 * * * *").run(run -> {}).build();

    private void ended(Outcome.Kind kind, long slots) {
        metrics.ended(job, new Outcome(SLOT, SLOT, slots, kind, "", null, 0, SLOT, Duration.ZERO));
    }

    private double outcomes(String... tags) {
        return registry.get("leasehold.scheduled.outcomes").tags(tags).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    @Test
    void skipsAreNoFailures() {
        ended(Outcome.Kind.SKIPPED, 1);
        ended(Outcome.Kind.SKIPPED, 1);
        // Not even an expression such as outcome!="ran" may find a skip among the failures.
        assertThat(outcomes()).isZero();
        assertThat(registry.get("leasehold.scheduled.skipped_overlap").counter().count())
                .isEqualTo(2);
    }

    @Test
    void everyOutcomeIsCountedOnceForEachSlot() {
        ended(Outcome.Kind.RAN, 1);
        ended(Outcome.Kind.FAILED, 1);
        ended(Outcome.Kind.DROPPED, 250);
        assertThat(outcomes("outcome", "ran")).isEqualTo(1);
        assertThat(outcomes("outcome", "failed")).isEqualTo(1);
        assertThat(outcomes("outcome", "dropped")).isEqualTo(250);
    }

    @Test
    void anAttemptThatIsRepeatedIsNoOutcome() {
        Slot slot = new Slot(job.name(), SLOT);
        metrics.again(slot, new EndedAttempt(1, EndedAttempt.Kind.LOST, "its lease was lost", null));
        metrics.trouble(job, "the store is gone");
        assertThat(outcomes()).isZero();
        assertThat(registry.get("leasehold.scheduled.retries")
                        .tag("reason", "lost")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("leasehold.scheduled.trouble").counter().count())
                .isEqualTo(1);
    }
}
