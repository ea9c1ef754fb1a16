package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.LeaseTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Work that fails and machines that fail, in virtual time: every slot still gets one outcome. */
class JobFailuresTest {
    private final JobsWorld world = new JobsWorld("2026-01-01T00:00:10Z");
    private final List<String> ran = new ArrayList<>();

    private Job job(Consumer<Job.Builder> settings) {
        return JobsWorld.job(ran, settings);
    }

    /** Work that fails. */
    @Nested
    class Retrying {
        @Test
        void failedWorkIsRetriedAsOftenAsAllowed() {
            Job job = job(j -> j.cron("0 * * * *")
                    .retries(Retries.of(2, Duration.ofMinutes(1)))
                    .run(run -> {
                        ran.add(JobsWorld.time(world.now()) + " " + run.attempt());
                        throw new JobFailedException("exit 3");
                    }));
            world.machine(job);

            world.advanceTo("2026-01-01T01:30:00Z");

            assertThat(ran).containsExactly("01:00 1", "01:01 2", "01:03 3");
            assertThat(world.recordedOutcomes()).containsExactly("01:00 failed");
            assertThat(world.record().outcomes().get(0).reason()).isEqualTo("exit 3");
            assertThat(world.log)
                    .containsExactly(
                            "m1 01:00 again: FAILED exit 3, 1 of 2 in PT1M",
                            "m1 01:00 again: FAILED exit 3, 2 of 2 in PT2M",
                            "m1 01:00 failed");
        }

        @Test
        void aSlotWhoseRetrySucceedsHasRun() {
            Job job = job(j -> j.cron("0 * * * *")
                    .retries(Retries.of(2, Duration.ofMinutes(1)))
                    .run(run -> {
                        if (run.attempt() < 2) {
                            throw new JobFailedException("exit 3");
                        }
                    }));
            world.machine(job);

            world.advanceTo("2026-01-01T01:30:00Z");

            assertThat(world.recordedOutcomes()).containsExactly("01:00 ran");
            assertThat(world.record().outcomes().get(0).attempt()).isEqualTo(2);
        }

        @Test
        void withoutRetriesASlotFailsAtItsFirstFailure() {
            Job job = job(j -> j.cron("0 * * * *").run(run -> {
                ran.add("try");
                throw new JobFailedException("exit 1");
            }));
            world.machine(job);

            world.advanceTo("2026-01-01T01:59:00Z");

            assertThat(ran).hasSize(1);
            assertThat(world.recordedOutcomes()).containsExactly("01:00 failed");
        }

        /**
         * A command can be ended by its deadline while a late renewal makes the lease good again.
         */
        @Test
        void workThatLostItsLeaseIsRetriedAndNotCountedAsFailed() {
            world.machine(job(j -> j.run(run -> {
                if (run.attempt() == 1) {
                    throw JobFailedException.leaseLost("cut off");
                }
                ran.add(JobsWorld.time(run.slot().at()));
            })));
            world.advanceTo("2026-01-01T00:01:30Z");

            assertThat(ran).containsExactly("00:01");
            assertThat(world.log).containsExactly("m1 00:01 again: LOST cut off", "m1 00:01 ran");
        }
    }

    /** Machines that die, freeze, stop or lose the store. */
    @Nested
    class Machines {
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
                            dying[0].die();
                            throw new IllegalStateException("the machine is dead");
                        }
                    }));
            dying[0] = world.machine(job);
            world.advanceTo("2026-01-01T00:59:59Z");
            world.machine(job(j -> j.cron("0 * * * *").terms(job.terms()).run(job.work())));

            world.advanceTo("2026-01-01T01:00:59Z");
            assertThat(seen).hasSize(1);
            world.advanceTo("2026-01-01T01:01:05Z");

            assertThat(seen)
                    .isEqualTo(Map.of("1 job@2026-01-01T01:00:00Z", "none", "2 job@2026-01-01T01:00:00Z", "half"));
            assertThat(world.recordedOutcomes()).containsExactly("01:00 ran");
        }

        @Test
        void aSlotThatKeepsLosingItsRunnerFails() {
            List<JobsWorld.Machine> machines = new ArrayList<>();
            Job job = job(j -> j.cron("0 * * * *").catchUp(CatchUp.latest(1)).run(run -> {
                ran.add(JobsWorld.time(run.slot().at()) + " " + run.attempt());
                machines.remove(0).die();
                throw new IllegalStateException("the machine is dead");
            }));
            world.advanceTo("2026-01-01T00:59:00Z");
            for (int i = 0; i < 6; i++) {
                machines.add(world.machine(job));
                // Each machine starts the slot only after the previous one has died.
                world.advance(Duration.ofSeconds(i == 0 ? 61 : 200));
            }

            assertThat(ran).containsExactly("01:00 1", "01:00 2", "01:00 3", "01:00 4");
            assertThat(world.recordedOutcomes()).containsExactly("01:00 failed");
            assertThat(world.record().outcomes().get(0).reason()).contains("4 times");
        }

        @Test
        void aFrozenMachineChangesNothingWhenItWakes() {
            JobsWorld.Machine[] frozen = new JobsWorld.Machine[1];
            Job job = job(j -> j.cron("0 * * * *")
                    .terms(LeaseTerms.ofTtl(Duration.ofSeconds(60)))
                    .run(run -> {
                        ran.add(run.attempt() + " " + run.slot().key());
                        if (run.attempt() == 1) {
                            frozen[0].freeze();
                            world.sleep(Duration.ofMinutes(5));
                            frozen[0].thaw();
                            ran.add("woke up " + run.lease().isTrusted());
                        }
                    }));
            frozen[0] = world.machine(job);
            world.advanceTo("2026-01-01T00:59:59Z");
            world.machine(job);
            world.advanceTo("2026-01-01T01:30:00Z");

            assertThat(ran)
                    .containsExactly("1 job@2026-01-01T01:00:00Z", "2 job@2026-01-01T01:00:00Z", "woke up false");
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
            assertThat(world.recordedOutcomes()).containsExactly("01:00 ran");
        }

        @Test
        void anOutageOfTheStoreLosesNoSlot() {
            JobsWorld.Machine machine = world.machine(job(j -> j.catchUp(CatchUp.latest(10))));
            world.advanceTo("2026-01-01T00:01:30Z");
            machine.setCutOff(true);
            world.advanceTo("2026-01-01T00:04:30Z");
            machine.setCutOff(false);
            world.advanceTo("2026-01-01T00:05:30Z");

            assertThat(ran).containsExactly("00:01", "00:02", "00:03", "00:04", "00:05");
        }

        @Test
        void aStoreClockThatIsSetAheadIsNoticed() {
            world.machine(job(j -> j.cron("0 3 * * *")));
            world.advanceTo("2026-01-01T01:00:00Z");
            world.manual.clock().advance(Duration.ofHours(1));
            world.advanceTo("2026-01-01T03:20:00Z");

            assertThat(ran).containsExactly("03:00");
        }
    }

    private static void stop(JobsWorld.Machine machine) {
        try {
            machine.jobs.stop(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
