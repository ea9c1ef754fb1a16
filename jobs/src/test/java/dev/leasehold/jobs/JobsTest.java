package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Holder;
import dev.leasehold.model.Note;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schedules, missed slots and pauses in virtual time: which slots run, where, and how often. */
class JobsTest {
    private final JobsWorld world = new JobsWorld("2026-01-01T00:00:10Z");
    private final List<String> ran = new ArrayList<>();

    private Job job(Consumer<Job.Builder> settings) {
        return JobsWorld.job(ran, settings);
    }

    /** Which slots run, and on which machine. */
    @Nested
    class Scheduling {
        @Test
        void aFirstStartDoesNotRunPastSlots() {
            world.machine(job(j -> j.catchUp(CatchUp.latest(5))));

            world.advanceTo("2026-01-01T00:02:30Z");

            assertThat(ran).containsExactly("00:01", "00:02");
        }

        @Test
        void eachSlotRunsOnExactlyOneOfThreeMachines() {
            Job job = job(j -> {});
            world.machine(job);
            world.machine(job);
            world.machine(job);

            world.advance(Duration.ofHours(8));

            assertThat(ran).hasSize(480).doesNotHaveDuplicates();
            assertThat(world.outcomes).hasSize(480).allSatisfy((slot, all) -> assertThat(all)
                    .hasSize(1));
            assertThat(world.record().counters()).isEqualTo(Map.of("ran", 480L));
            assertThat(world.manual.timers().failures()).isEmpty();
        }

        @Test
        void jitterSpreadsTheStartsAndLosesNoSlot() {
            List<Duration> delays = new ArrayList<>();
            world.machine(job(j -> j.jitter(Duration.ofSeconds(30))
                    .run(run -> delays.add(Duration.between(run.slot().at(), world.now())))));

            world.advanceTo("2026-01-01T01:00:59Z");

            assertThat(delays).hasSize(60).allSatisfy(d -> assertThat(d).isLessThan(Duration.ofSeconds(31)));
            assertThat(delays.stream().distinct().count()).isGreaterThan(30);
        }

        @ParameterizedTest
        @CsvSource({"2026-03-15,2026-03-29T01:00:00Z", "2026-10-15,2026-10-25T00:30:00Z"})
        void whenClocksChangeADailyJobRunsOnceThatDay(LocalDate start, Instant slotOfThatDay) {
            JobsWorld berlin = new JobsWorld(start + "T12:00:00Z");
            List<Instant> slots = new ArrayList<>();
            berlin.machine(Job.named("job")
                    .cron("30 2 * * *")
                    .zone("Europe/Berlin")
                    .run(run -> slots.add(run.slot().at()))
                    .build());

            berlin.advance(Duration.ofDays(20));

            assertThat(slots).hasSize(20).doesNotHaveDuplicates().isSorted().contains(slotOfThatDay);
        }

        @Test
        void aChangedScheduleCountsFromWhenItIsSeen() {
            JobsWorld.Machine machine = world.machine(job(j -> j.cron("0 3 * * *")));
            world.advanceTo("2026-01-01T12:00:10Z");

            machine.jobs.replace(List.of(job(j -> j.cron("*/10 * * * *").catchUp(CatchUp.latest(50)))));
            world.advanceTo("2026-01-01T12:25:00Z");

            assertThat(ran).containsExactly("03:00", "12:10", "12:20");
        }

        @Test
        void aRemovedJobRunsNoMoreSlots() {
            JobsWorld.Machine machine = world.machine(job(j -> {}));
            world.advanceTo("2026-01-01T00:01:30Z");

            machine.jobs.replace(List.of());
            world.advanceTo("2026-01-01T00:05:30Z");

            assertThat(ran).containsExactly("00:01");
        }
    }

    /** Slots that were due while no machine was running. */
    @Nested
    class CatchingUp {
        @Test
        void afterAWeekWithoutMachinesTheLatestSlotsRunAndTheOthersAreDropped() {
            Job job = job(j -> j.catchUp(CatchUp.latest(3)));
            JobsWorld.Machine first = world.machine(job);
            world.advanceTo("2026-01-01T00:05:30Z");
            first.die();
            world.advanceTo("2026-01-08T00:05:30Z");
            ran.clear();

            world.machine(job);
            world.advanceTo("2026-01-08T00:06:30Z");

            assertThat(ran).containsExactly("00:03", "00:04", "00:05", "00:06");
            Outcome dropped = world.record().outcomes().stream()
                    .filter(outcome -> outcome.kind() == Outcome.Kind.DROPPED)
                    .findFirst()
                    .orElseThrow();
            assertThat(dropped.from()).isEqualTo("2026-01-01T00:06:00Z");
            assertThat(dropped.to()).isEqualTo("2026-01-08T00:02:00Z");
            assertThat(dropped.slots()).isEqualTo(7 * 1440 - 3);
            assertThat(dropped.reason()).contains("missed", "latest 3");
        }

        @Test
        void catchingUpMayBeLimitedToAWindow() {
            Job job = job(j -> j.cron("0 * * * *").catchUp(new CatchUp(10, Duration.ofHours(2))));
            world.machine(job).die();
            world.advanceTo("2026-01-01T09:30:00Z");

            world.machine(job(j -> j.cron("0 * * * *").catchUp(new CatchUp(10, Duration.ofHours(2)))));
            world.advance(Duration.ofSeconds(1));

            assertThat(ran).isEmpty();
            world.advanceTo("2026-01-01T10:30:00Z");
            assertThat(ran).containsExactly("10:00");
        }

        @Test
        void aSlotThatCannotStartInTimeIsNotRun() {
            world.machine(job(j -> j.cron("0 * * * *"))).die();
            world.advanceTo("2026-01-01T01:20:00Z");

            Job strict = job(j -> j.cron("0 * * * *").startWithin(Duration.ofMinutes(10)));
            world.machine(strict);
            world.advance(Duration.ofMinutes(1));

            assertThat(ran).isEmpty();
            assertThat(world.recordedOutcomes()).isEmpty();
        }
    }

    /** Jobs that an operator pauses. */
    @Nested
    class Pausing {
        @Test
        void aPausedJobDropsItsSlotsWithTheReason() {
            world.machine(job(j -> {}));
            world.advanceTo("2026-01-01T00:01:30Z");
            world.records.pause(JobsWorld.JOB, Holder.of("ann"), Note.of("database move"));
            world.advanceTo("2026-01-01T00:03:30Z");
            world.records.resume(JobsWorld.JOB);
            world.advanceTo("2026-01-01T00:04:30Z");

            assertThat(ran).containsExactly("00:01", "00:04");
            assertThat(world.recordedOutcomes())
                    .containsExactly("00:01 ran", "00:02 dropped", "00:03 dropped", "00:04 ran");
            assertThat(world.record().outcomes().get(1).reason()).contains("ann", "database move");
        }

        @Test
        void slotsThatFellDueDuringAPauseWithoutMachinesAreDropped() {
            JobsWorld.Machine first = world.machine(job(j -> {}));
            world.advanceTo("2026-01-01T00:01:30Z");
            world.records.pause(JobsWorld.JOB, Holder.of("ann"), Note.of("database move"));
            first.die();
            world.advanceTo("2026-01-01T00:09:30Z");
            world.records.resume(JobsWorld.JOB);
            world.machine(job(j -> {}));
            world.advanceTo("2026-01-01T00:10:30Z");

            assertThat(ran).containsExactly("00:01", "00:10");
            assertThat(world.record().counters()).isEqualTo(Map.of("ran", 2L, "dropped", 8L));
        }
    }
}
