package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The calls that jobs make to the store, and the counters that they raise. */
class JobCostTest {
    private final JobsWorld world = new JobsWorld("2026-01-01T00:00:10Z");
    private final List<String> ran = new ArrayList<>();

    private Job job(Consumer<Job.Builder> settings) {
        return JobsWorld.job(ran, settings);
    }

    @Test
    void skippedAndDroppedSlotsAreCountedButRequestsForALeaseAreNot() {
        Job job = job(j -> j.run(run -> world.sleep(Duration.ofSeconds(90))));
        JobsWorld.Machine first = world.machine(job);
        JobsWorld.Machine second = world.machine(job);
        world.advanceTo("2026-01-01T00:03:50Z");
        first.die();
        second.die();
        world.advanceTo("2026-01-01T01:00:30Z");
        JobsWorld.Machine third = world.machine(job);
        world.advance(Duration.ofSeconds(10));

        assertThat(world.recordedOutcomes()).contains("00:01 ran", "00:02 skipped");
        assertThat(count(first, "skipped_overlap") + count(second, "skipped_overlap"))
                .isEqualTo(1);
        assertThat(count(third, "dropped_slots")).isEqualTo(56);
    }

    private static long count(JobsWorld.Machine machine, String what) {
        return machine.counters.counts().getOrDefault(what, 0L);
    }

    @Test
    void aThousandIdleJobsShareTheirCallsToTheStore() {
        assertThat(callsInAnIdleHour()).isBetween(3, 5);
    }

    /** One call every two seconds, however many jobs there are. */
    @Test
    void aThousandIdleJobsLookTogetherForStarts() {
        world.lookingForStarts(Duration.ofSeconds(2));

        assertThat(callsInAnIdleHour()).isBetween(1750, 1810);
    }

    private int callsInAnIdleHour() {
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            jobs.add(Job.named("job-" + i).cron("0 3 1 6 *").run(run -> {}).build());
        }
        JobsWorld.Machine machine = world.machine(jobs.toArray(Job[]::new));
        world.advance(Duration.ofMinutes(5));
        int before = machine.calls;
        world.advance(Duration.ofHours(1));
        return machine.calls - before;
    }

    @Test
    void theCallsPerSlotDoNotGrowWithTheHistory() {
        JobsWorld.Machine machine = world.machine(job(j -> {}));
        world.advance(Duration.ofMinutes(10));
        int early = callsOfTenSlots(machine);

        world.advance(Duration.ofMinutes(500));

        assertThat(callsOfTenSlots(machine)).isEqualTo(early);
        assertThat(ran).hasSize(530);
    }

    private int callsOfTenSlots(JobsWorld.Machine machine) {
        int before = machine.calls;
        world.advance(Duration.ofMinutes(10));
        return machine.calls - before;
    }
}
