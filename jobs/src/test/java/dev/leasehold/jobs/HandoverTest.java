package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Note;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Machines that are slow or stopped while a job passes from one to another. */
class HandoverTest {
    private static final String ONE = "2026-01-01T01:00:00Z";

    private final JobsWorld world = new JobsWorld("2026-01-01T00:00:10Z");
    private final List<String> ran = new ArrayList<>();

    private Job job(Consumer<Job.Builder> settings) {
        return JobsWorld.job(ran, settings);
    }

    @Test
    void aSlowMachineDoesNotTakeTheLeaseFromALaterSlot() {
        Job job = job(j -> j.overlap(new Overlap.Supersede()).run(run -> {
            String slot = JobsWorld.time(run.slot().at());
            world.sleep(Duration.ofSeconds(slot.equals("00:01") ? 600 : slot.equals("00:04") ? 50 : 5));
            ran.add(slot);
        }));
        // It reads at 2:00 that 1:00 is still running, and acts on that at 4:30.
        world.machine(job).slowDownNext("intervene", Duration.ofSeconds(150), Duration.ZERO);
        world.machine(job);

        world.advanceTo("2026-01-01T00:05:30Z");

        assertThat(world.recordedOutcomes())
                .containsExactly("00:01 failed", "00:02 ran", "00:03 ran", "00:04 ran", "00:05 ran");
        assertThat(ran).containsExactly("00:02", "00:03", "00:04", "00:05");
        assertEachAttemptHasOneToken();
    }

    @Test
    void machinesThatSupersedeTogetherRaiseTheTokenOnce() {
        Job job = job(j -> j.overlap(new Overlap.Supersede()).run(run -> world.sleep(Duration.ofSeconds(90))));
        for (int i = 0; i < 5; i++) {
            world.machine(job);
        }

        world.advanceTo("2026-01-01T00:04:30Z");

        assertThat(history()).extracting(t -> t.token().value()).containsExactly(4L, 3L, 2L, 1L);
        assertEachAttemptHasOneToken();
    }

    /**
     * The record says that slot 1:00 runs under token 1; the lease is an operator's, under token 2.
     */
    @Test
    void aSlotAlsoSupersedesAnOperatorWhoTookTheLeaseOfTheEarlierRun() {
        Job job = job(j -> j.overlap(new Overlap.Supersede()).run(run -> {
            ran.add(JobsWorld.time(run.slot().at()));
            world.sleep(Duration.ofSeconds(run.slot().at().getEpochSecond() % 120 == 60 ? 600 : 5));
        }));
        JobsWorld.Machine first = world.machine(job);
        world.machine(job);
        world.advanceTo("2026-01-01T00:01:55Z");
        first.die();
        world.store.intervene(Intervention.takeover(
                JobsWorld.JOB,
                AttemptId.of("by-hand-attempt"),
                Holder.of("operator"),
                Duration.ofHours(1),
                Note.of("looks stuck")));

        world.advanceTo("2026-01-01T00:02:30Z");

        assertThat(ran).containsExactly("00:01", "00:02");
        assertThat(world.recordedOutcomes()).containsExactly("00:01 failed", "00:02 ran");
    }

    @Test
    void afterAnOrderlyStopTheNextSlotRunsOnTime() throws Exception {
        Job job = job(j -> j.terms(LeaseTerms.ofTtl(Duration.ofMinutes(15))).run(run -> {
            ran.add(JobsWorld.time(world.now()));
            world.sleep(Duration.ofSeconds(20));
        }));
        JobsWorld.Machine first = world.machine(job);
        world.advanceTo("2026-01-01T00:01:05Z");
        world.machine(job);
        world.advanceTo("2026-01-01T00:01:30Z");
        first.jobs.stop(Duration.ofSeconds(5));

        world.advanceTo("2026-01-01T00:06:30Z");

        assertThat(ran).containsExactly("00:01", "00:02", "00:03", "00:04", "00:05", "00:06");
        assertThat(world.record().counters()).containsOnlyKeys("ran");
    }

    /** The machines are stopped one after the other and replaced by new ones. */
    @Test
    void aRollingRestartLosesNoSlot() throws Exception {
        Job job = job(j -> j.terms(LeaseTerms.ofTtl(Duration.ofMinutes(15))).run(run -> {
            ran.add(JobsWorld.time(world.now()));
            world.sleep(Duration.ofSeconds(20));
        }));
        world.machine(job);
        world.machine(job);
        for (int i = 0; i < 6; i++) {
            // During a run, which may finish.
            world.advance(Duration.ofSeconds(60));
            world.machines.get(i).jobs.stop(Duration.ofSeconds(30));
            world.machine(job);
        }
        world.advanceTo("2026-01-01T00:10:30Z");

        assertThat(ran).hasSize(10).doesNotHaveDuplicates();
        assertThat(world.record().counters()).containsOnlyKeys("ran");
    }

    /**
     * The machine that runs the earlier slot is also the one that would have started the waiting
     * slot next.
     */
    @Test
    void aSlotThatWaitsForAStoppedMachineRuns() throws Exception {
        Job job = job(j -> j.cron("0 * * * *")
                .overlap(new Overlap.Wait(Duration.ofMinutes(2)))
                .terms(LeaseTerms.ofTtl(Duration.ofMinutes(15)))
                .run(run -> {
                    ran.add(JobsWorld.time(world.now()));
                    world.sleep(Duration.ofSeconds(run.slot().at().equals(Instant.parse(ONE)) ? 3620 : 5));
                }));
        JobsWorld.Machine first = world.machine(job);
        world.machine(job);
        world.advanceTo("2026-01-01T02:00:10Z");
        // Slot 1:00 ends at 2:00:20, slot 2:00 waits for it.
        first.jobs.stop(Duration.ofSeconds(30));
        first.die();

        world.advanceTo("2026-01-01T02:10:00Z");

        assertThat(world.recordedOutcomes()).containsExactly("01:00 ran", "02:00 ran");
        assertThat(Instant.parse("2026-01-01T" + ran.get(1) + "Z")).isBefore("2026-01-01T02:00:25Z");
    }

    @Test
    void aSlotThatIsHandedOnStartsWithinAHeartbeat() throws Exception {
        Job job = job(j -> j.cron("*/5 * * * *")
                .terms(LeaseTerms.ofTtl(Duration.ofMinutes(6)))
                .run(run -> {
                    ran.add(JobsWorld.time(run.slot().at()) + " " + run.attempt());
                    world.sleep(Duration.ofSeconds(run.attempt() == 1 && ran.size() == 1 ? 1000 : 5));
                }));
        JobsWorld.Machine first = world.machine(job);
        world.machine(job);
        world.advanceTo("2026-01-01T00:07:55Z");
        first.jobs.stop(Duration.ofSeconds(5));

        world.advanceTo("2026-01-01T00:11:00Z");

        assertThat(ran).containsExactly("00:05 1", "00:05 2", "00:10 1");
        assertThat(world.recordedOutcomes()).containsExactly("00:05 ran", "00:10 ran");
    }

    /**
     * The record no longer names the run, but the store still has its lease. That is not a
     * foreign holder.
     */
    @Test
    void aRunThatIsReleasingItsLeaseDelaysNoSlot() {
        JobsWorld.Machine[] slow = new JobsWorld.Machine[1];
        Job job = job(j -> j.terms(LeaseTerms.ofTtl(Duration.ofSeconds(30))).run(run -> {
            String slot = JobsWorld.time(run.slot().at());
            ran.add(slot);
            if (slot.equals("00:01")) {
                world.sleep(Duration.ofMillis(59_500));
                slow[0].slowDownNext("release", Duration.ofSeconds(1), Duration.ZERO);
            }
        }));
        slow[0] = world.machine(job);
        world.advanceTo("2026-01-01T00:01:01Z");
        world.machine(job);

        world.advanceTo("2026-01-01T00:02:30Z");

        assertThat(ran).containsExactly("00:01", "00:02");
        assertThat(world.recordedOutcomes()).containsExactly("00:01 ran", "00:02 ran");
    }

    /** The process ends when stop returns, so no pass may still be acquiring a lease. */
    @Test
    void aStopWaitsForAPassThatIsAcquiringALease() throws Exception {
        Job job = job(j -> j.terms(LeaseTerms.ofTtl(Duration.ofMinutes(15))));
        JobsWorld.Machine first = world.machine(job);
        first.slowDownNext("acquire", Duration.ZERO, Duration.ofSeconds(3));
        world.advanceTo("2026-01-01T00:01:01Z");
        first.jobs.stop(Duration.ofSeconds(30));
        first.die();

        world.machine(job);
        world.advanceTo("2026-01-01T00:03:30Z");

        assertThat(ran).containsExactly("00:01", "00:02", "00:03");
        assertThat(world.recordedOutcomes()).containsExactly("00:01 ran", "00:02 ran", "00:03 ran");
    }

    private List<Transfer> history() {
        return world.store.history(JobsWorld.JOB, LeaseStore.HISTORY_KEPT);
    }

    private void assertEachAttemptHasOneToken() {
        assertThat(history()).extracting(Transfer::attempt).doesNotHaveDuplicates();
    }
}
