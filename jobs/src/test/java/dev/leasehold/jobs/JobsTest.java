package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Note;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Machines, outages and schedules in virtual time: who runs which slot, and how often. */
class JobsTest {
    private final JobsWorld world = new JobsWorld("2026-01-01T00:00:10Z");
    private final List<String> ran = new ArrayList<>();

    private Job job(Consumer<Job.Builder> settings) {
        return JobsWorld.job(ran, settings);
    }

    @Test
    void aFirstStartDoesNotRunThePast() {
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
    void anOutageOfAWeekMeansNRunsAndAListOfTheDroppedOnes() {
        Job job = job(j -> j.catchUp(CatchUp.latest(3)));
        JobsWorld.Machine first = world.machine(job);
        world.advanceTo("2026-01-01T00:05:30Z");
        first.dies();
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
        world.machine(job).dies();
        world.advanceTo("2026-01-01T09:30:00Z");

        world.machine(job(j -> j.cron("0 * * * *").catchUp(new CatchUp(10, Duration.ofHours(2)))));
        world.advance(Duration.ofSeconds(1));

        assertThat(ran).isEmpty();
        world.advanceTo("2026-01-01T10:30:00Z");
        assertThat(ran).containsExactly("10:00");
    }

    @Test
    void aMachineThatDiesIsReplacedAfterTheTtlAndItsSuccessorGetsTheCheckpoint() {
        Map<String, String> seen = new TreeMap<>();
        JobsWorld.Machine[] dying = new JobsWorld.Machine[1];
        Job job = job(j -> j.cron("0 * * * *")
                .terms(LeaseTerms.ofTtl(Duration.ofSeconds(60)))
                .run(run -> {
                    seen.put(
                            run.attempt() + " " + run.slot().key(),
                            run.checkpoint().map(Checkpoint::value).orElse("none"));
                    run.checkpoint("half");
                    if (run.attempt() == 1) {
                        dying[0].dies();
                        throw new IllegalStateException("nobody hears this");
                    }
                }));
        dying[0] = world.machine(job);
        world.advanceTo("2026-01-01T00:59:59Z");
        world.machine(job(j -> j.cron("0 * * * *").terms(job.terms()).run(job.work())));

        world.advanceTo("2026-01-01T01:00:59Z");
        assertThat(seen).hasSize(1);
        world.advanceTo("2026-01-01T01:01:05Z");

        assertThat(seen).isEqualTo(Map.of("1 job@2026-01-01T01:00:00Z", "none", "2 job@2026-01-01T01:00:00Z", "half"));
        assertThat(world.told()).containsExactly("01:00 ran");
    }

    @Test
    void aSlotThatLosesEveryRunnerHasFailed() {
        List<JobsWorld.Machine> machines = new ArrayList<>();
        Job job = job(j -> j.cron("0 * * * *").catchUp(CatchUp.latest(1)).run(run -> {
            ran.add(JobsWorld.time(run.slot().at()) + " " + run.attempt());
            machines.remove(0).dies();
            throw new IllegalStateException("nobody hears this");
        }));
        world.advanceTo("2026-01-01T00:59:00Z");
        for (int i = 0; i < 6; i++) {
            machines.add(world.machine(job));
            // Each gets its turn only when the one before has died.
            world.advance(Duration.ofSeconds(i == 0 ? 61 : 200));
        }

        assertThat(ran).containsExactly("01:00 1", "01:00 2", "01:00 3", "01:00 4");
        assertThat(world.told()).containsExactly("01:00 failed");
        assertThat(world.record().outcomes().get(0).reason()).contains("4 times");
    }

    @Test
    void workThatFailedIsTriedAgainWithinItsBudget() {
        Job job = job(j -> j.cron("0 * * * *")
                .retries(Retries.of(2, Duration.ofMinutes(1)))
                .run(run -> {
                    ran.add(JobsWorld.time(world.now()) + " " + run.attempt());
                    throw new JobFailedException("exit 3");
                }));
        world.machine(job);

        world.advanceTo("2026-01-01T01:30:00Z");

        assertThat(ran).containsExactly("01:00 1", "01:01 2", "01:03 3");
        assertThat(world.told()).containsExactly("01:00 failed");
        assertThat(world.record().outcomes().get(0).reason()).isEqualTo("exit 3");
    }

    @Test
    void aRetryThatWorksMeansThatTheSlotRan() {
        Job job = job(j -> j.cron("0 * * * *")
                .retries(Retries.of(2, Duration.ofMinutes(1)))
                .run(run -> {
                    if (run.attempt() < 2) {
                        throw new JobFailedException("exit 3");
                    }
                }));
        world.machine(job);

        world.advanceTo("2026-01-01T01:30:00Z");

        assertThat(world.told()).containsExactly("01:00 ran");
        assertThat(world.record().outcomes().get(0).attempt()).isEqualTo(2);
    }

    @Test
    void withoutABudgetOneFailureIsTheEnd() {
        Job job = job(j -> j.cron("0 * * * *").run(run -> {
            ran.add("try");
            throw new JobFailedException("exit 1");
        }));
        world.machine(job);

        world.advanceTo("2026-01-01T01:59:00Z");

        assertThat(ran).hasSize(1);
        assertThat(world.told()).containsExactly("01:00 failed");
    }

    @Test
    void aPausedJobDropsItsSlotsWithTheReason() {
        world.machine(job(j -> {}));
        world.advanceTo("2026-01-01T00:01:30Z");
        world.book.pause(JobsWorld.JOB, Holder.of("ann"), Note.of("database move"));
        world.advanceTo("2026-01-01T00:03:30Z");
        world.book.resume(JobsWorld.JOB);
        world.advanceTo("2026-01-01T00:04:30Z");

        assertThat(ran).containsExactly("00:01", "00:04");
        assertThat(world.told()).containsExactly("00:01 ran", "00:02 dropped", "00:03 dropped", "00:04 ran");
        assertThat(world.record().outcomes().get(1).reason()).contains("ann", "database move");
    }

    @Test
    void whatFellDueWhileNobodyWasThereAndThePauseEndedIsDropped() {
        JobsWorld.Machine first = world.machine(job(j -> {}));
        world.advanceTo("2026-01-01T00:01:30Z");
        world.book.pause(JobsWorld.JOB, Holder.of("ann"), Note.of("database move"));
        first.dies();
        world.advanceTo("2026-01-01T00:09:30Z");
        world.book.resume(JobsWorld.JOB);
        world.machine(job(j -> {}));
        world.advanceTo("2026-01-01T00:10:30Z");

        assertThat(ran).containsExactly("00:01", "00:10");
        assertThat(world.record().counters()).isEqualTo(Map.of("ran", 2L, "dropped", 8L));
    }

    @Test
    void aSlotThatCannotStartInTimeIsNotRun() {
        world.machine(job(j -> j.cron("0 * * * *"))).dies();
        world.advanceTo("2026-01-01T01:20:00Z");

        Job strict = job(j -> j.cron("0 * * * *").startWithin(Duration.ofMinutes(10)));
        world.machine(strict);
        world.advance(Duration.ofMinutes(1));

        assertThat(ran).isEmpty();
        assertThat(world.told()).isEmpty();
    }

    @Test
    void jitterSpreadsTheStartAndLosesNothing() {
        List<Duration> delays = new ArrayList<>();
        world.machine(job(j -> j.jitter(Duration.ofSeconds(30))
                .run(run -> delays.add(Duration.between(run.slot().at(), world.now())))));

        world.advanceTo("2026-01-01T01:00:59Z");

        assertThat(delays).hasSize(60).allSatisfy(d -> assertThat(d).isLessThan(Duration.ofSeconds(31)));
        assertThat(delays.stream().distinct().count()).isGreaterThan(30);
    }

    @Test
    void aFrozenMachineChangesNothingWhenItWakes() {
        JobsWorld.Machine[] frozen = new JobsWorld.Machine[1];
        Job job = job(j -> j.cron("0 * * * *")
                .terms(LeaseTerms.ofTtl(Duration.ofSeconds(60)))
                .run(run -> {
                    ran.add(run.attempt() + " " + run.slot().key());
                    if (run.attempt() == 1) {
                        frozen[0].freezes();
                        world.sleep(Duration.ofMinutes(5));
                        frozen[0].thaws();
                        ran.add("woke up " + run.lease().isTrusted());
                    }
                }));
        frozen[0] = world.machine(job);
        world.advanceTo("2026-01-01T00:59:59Z");
        world.machine(job);
        world.advanceTo("2026-01-01T01:30:00Z");

        assertThat(ran).containsExactly("1 job@2026-01-01T01:00:00Z", "2 job@2026-01-01T01:00:00Z", "woke up false");
        assertThat(world.outcomes.get(Instant.parse("2026-01-01T01:00:00Z")))
                .singleElement()
                .satisfies(o -> {
                    assertThat(o.kind()).isEqualTo(Outcome.Kind.RAN);
                    assertThat(o.attempt()).isEqualTo(2);
                });
        assertThat(world.log).containsExactly("m2 01:00 ran", "m1 01:00 replaced");
    }

    @Test
    void aMachineThatIsStoppedHandsItsSlotOn() throws Exception {
        JobsWorld.Machine[] stopping = new JobsWorld.Machine[1];
        Job job = job(j -> j.cron("0 * * * *").run(run -> {
            ran.add(run.attempt() + " " + JobsWorld.time(world.now()));
            if (run.attempt() == 1) {
                world.manual.timers().after(Duration.ofSeconds(1), () -> stop(stopping[0]));
                world.sleep(Duration.ofMinutes(10));
                ran.add("not reached");
            }
        }));
        stopping[0] = world.machine(job);
        world.advanceTo("2026-01-01T00:59:59Z");
        world.machine(job);

        world.advanceTo("2026-01-01T01:30:00Z");

        assertThat(ran).hasSize(2).first().isEqualTo("1 01:00");
        assertThat(world.told()).containsExactly("01:00 ran");
    }

    private static void stop(JobsWorld.Machine machine) {
        try {
            machine.jobs.stop(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
    void aJobThatIsTakenOutOfTheFileIsLeftAlone() {
        JobsWorld.Machine machine = world.machine(job(j -> {}));
        world.advanceTo("2026-01-01T00:01:30Z");

        machine.jobs.replace(List.of());
        world.advanceTo("2026-01-01T00:05:30Z");

        assertThat(ran).containsExactly("00:01");
    }

    @Test
    void aStoreThatDoesNotAnswerForAWhileCostsNoSlotItsOutcome() {
        JobsWorld.Machine machine = world.machine(job(j -> j.catchUp(CatchUp.latest(10))));
        world.advanceTo("2026-01-01T00:01:30Z");
        machine.isCutOff(true);
        world.advanceTo("2026-01-01T00:04:30Z");
        machine.isCutOff(false);
        world.advanceTo("2026-01-01T00:05:30Z");

        assertThat(ran).containsExactly("00:01", "00:02", "00:03", "00:04", "00:05");
    }

    @Test
    void aClockOfTheStoreThatWasSetAheadIsNoticed() {
        world.machine(job(j -> j.cron("0 3 * * *")));
        world.advanceTo("2026-01-01T01:00:00Z");
        world.manual.clock().advance(Duration.ofHours(1));
        world.advanceTo("2026-01-01T03:20:00Z");

        assertThat(ran).containsExactly("03:00");
    }

    /** A command can be ended by its deadline while a late renewal makes the lease good again. */
    @Test
    void workThatWasCutOffIsTriedAgainAndHasNotFailed() {
        world.machine(job(j -> j.run(run -> {
            if (run.attempt() == 1) {
                throw JobFailedException.leaseLost("cut off");
            }
            ran.add(JobsWorld.time(run.slot().at()));
        })));
        world.advanceTo("2026-01-01T00:01:30Z");

        assertThat(ran).containsExactly("00:01");
        assertThat(world.log).containsExactly("m1 00:01 again: cut off", "m1 00:01 ran");
    }
}
