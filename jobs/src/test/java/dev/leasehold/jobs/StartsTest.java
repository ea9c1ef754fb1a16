package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Jobs that a person starts now: one request is one run, under the same policies as a slot that is due. */
class StartsTest {
    private static final Holder PERSON = Holder.of("alice");

    private final JobsWorld world = new JobsWorld("2026-01-01T00:00:10Z").lookingForStarts(Duration.ofSeconds(2));
    private final List<String> ran = new ArrayList<>();
    private final JobStarts starts = new JobStarts(world.store.register());
    private int requests;

    /** Due once a day, so that only starts run. */
    private Job job(Consumer<Job.Builder> settings) {
        return JobsWorld.job(ran, settings.andThen(j -> j.cron("0 3 * * *")));
    }

    private Job lasting(Duration duration, Consumer<Job.Builder> settings) {
        return job(settings.andThen(j -> j.run(run -> {
            ran.add("started");
            world.sleep(duration);
            ran.add("ended");
        })));
    }

    private JobStart start() {
        return asked(AttemptId.of("request-" + requests++)).start();
    }

    private StartResult.Asked asked(AttemptId request) {
        return (StartResult.Asked) starts.start(JobsWorld.JOB, request, PERSON);
    }

    private List<String> outcomes() {
        List<String> found = new ArrayList<>();
        for (Outcome outcome : world.record().outcomes()) {
            found.add(0, outcome.kind().word());
        }
        return found;
    }

    private void assertEachHasOneOutcome() {
        assertThat(world.outcomes).allSatisfy((slot, all) -> assertThat(all).hasSize(1));
        assertThat(world.manual.timers().failures()).isEmpty();
    }

    @Test
    void oneStartRunsOnOneOfTwoMachines() {
        world.machine(job(j -> {}));
        world.machine(job(j -> {}));
        world.advance(Duration.ofSeconds(10));

        Instant slot = start().slot();
        world.advance(Duration.ofSeconds(3));

        assertThat(ran).hasSize(1);
        assertThat(outcomes()).containsExactly("ran");
        assertThat(world.record().outcomes().get(0).from()).isEqualTo(slot);
        world.advance(Duration.ofHours(4));
        assertThat(ran).as("and the slot of the schedule").hasSize(2);
        assertEachHasOneOutcome();
    }

    @Test
    void theSameRequestTwiceIsOneRun() {
        world.machine(job(j -> {}));
        world.advance(Duration.ofSeconds(1));
        AttemptId request = AttemptId.of("request-of-alice");

        StartResult.Asked first = asked(request);
        StartResult.Asked second = asked(request);
        world.advance(Duration.ofSeconds(5));
        StartResult.Asked third = asked(request);
        world.advance(Duration.ofSeconds(5));

        assertThat(ran).hasSize(1);
        assertThat(List.of(first.again(), second.again(), third.again())).containsExactly(false, true, true);
        assertThat(List.of(second.start().slot(), third.start().slot()))
                .containsOnly(first.start().slot());
        assertThat(List.of(first.state(), second.state(), third.state())).containsExactly("asked", "asked", "ran");
    }

    @Test
    void severalRequestsInOneInstantAreSeveralSlots() {
        world.machine(job(j -> j.overlap(new Overlap.Wait(Duration.ofMinutes(1)))));
        world.advance(Duration.ofSeconds(1));

        List<Instant> slots = List.of(start().slot(), start().slot(), start().slot());
        world.advance(Duration.ofSeconds(10));

        assertThat(slots).doesNotHaveDuplicates();
        assertThat(outcomes()).containsExactly("ran", "ran", "ran");
        assertEachHasOneOutcome();
    }

    @Test
    void anUnknownOrPausedJobIsNotStarted() {
        assertThat(starts.start(LeaseName.of("other"), AttemptId.of("request-1"), PERSON))
                .isInstanceOf(StartResult.NoSuchJob.class);
        assertThat(world.records.all()).isEmpty();
        world.machine(job(j -> {}));
        world.advance(Duration.ofSeconds(1));
        world.records.pause(JobsWorld.JOB, Holder.of("bob"), Note.of("moving"));

        StartResult refused = starts.start(JobsWorld.JOB, AttemptId.of("request-1"), PERSON);

        assertThat(refused).isInstanceOfSatisfying(StartResult.Paused.class, paused -> assertThat(
                        paused.pause().by())
                .isEqualTo(Holder.of("bob")));
        world.records.resume(JobsWorld.JOB);
        world.advance(Duration.ofSeconds(10));
        assertThat(ran).isEmpty();
        assertThat(outcomes()).isEmpty();
    }

    @Test
    void aJobThatIsPausedBeforeAMachineTookTheStartUpDropsIt() {
        world.machine(job(j -> {}));
        world.advance(Duration.ofSeconds(1));
        start();
        world.records.pause(JobsWorld.JOB, Holder.of("bob"), Note.of("moving"));

        world.advance(Duration.ofSeconds(10));

        assertThat(ran).isEmpty();
        assertThat(outcomes()).containsExactly("dropped");
    }

    @Test
    void aStartThatNoMachineTakesUpIsDroppedLater() {
        JobsWorld.Machine machine = world.machine(job(j -> {}));
        world.advance(Duration.ofSeconds(1));
        machine.die();
        start();
        world.advance(Duration.ofHours(1));

        world.machine(job(j -> {}));
        world.advance(Duration.ofSeconds(10));

        assertThat(ran).isEmpty();
        assertThat(outcomes()).containsExactly("dropped");
        assertThat(world.record().outcomes().get(0).reason()).contains("10m");
    }

    @Test
    void aMachineThatComesBackInTimeTakesTheStartUp() {
        JobsWorld.Machine machine = world.machine(job(j -> {}));
        world.advance(Duration.ofSeconds(1));
        machine.die();
        start();
        world.advance(Duration.ofMinutes(5));

        world.machine(job(j -> {}));
        world.advance(Duration.ofSeconds(10));

        assertThat(outcomes()).containsExactly("ran");
    }

    /** The other machine sees the start only through the record: nothing is due there for hours. */
    @Test
    void ifTheMachineDiesAnotherOneContinuesTheStart() {
        Job job = lasting(Duration.ofMinutes(1), j -> j.terms(LeaseTerms.ofTtl(Duration.ofSeconds(30))));
        JobsWorld.Machine first = world.machine(job);
        world.advance(Duration.ofSeconds(1));
        start();
        world.advance(Duration.ofSeconds(3));
        JobsWorld.Machine second = world.machine(job(j -> {}));
        second.jobs.replace(List.of(job));
        world.advance(Duration.ofSeconds(10));
        first.die();

        world.advance(Duration.ofMinutes(3));

        assertThat(ran).startsWith("started", "started");
        assertThat(outcomes()).containsExactly("ran");
        assertThat(world.record().outcomes().get(0).attempt()).isEqualTo(2);
    }

    @Test
    void theOtherMachineLearnsOfARunningStartAlthoughItWasTakenUpAtOnce() {
        Job job = lasting(Duration.ofMinutes(1), j -> j.terms(LeaseTerms.ofTtl(Duration.ofSeconds(30))));
        JobsWorld.Machine first = world.machine(job);
        world.advance(Duration.ofSeconds(1));
        JobsWorld.Machine second = world.machine(job);
        world.advance(Duration.ofSeconds(1));
        start();
        world.advance(Duration.ofSeconds(5));
        String runner = world.record().open().get(0).run().holder().value();
        (runner.equals(first.name) ? first : second).die();

        world.advance(Duration.ofMinutes(3));

        assertThat(outcomes()).containsExactly("ran");
    }

    @Test
    void nothingIsLeftInTheRegisterAfterAStart() {
        world.machine(job(j -> {}));
        world.machine(job(j -> {}));
        world.advance(Duration.ofSeconds(1));
        start();
        assertThat(world.store.register().keys("starts/", "", 10)).hasSize(1);

        world.advance(Duration.ofSeconds(10));

        assertThat(world.store.register().keys("starts/", "", 10)).isEmpty();
        assertThat(world.store.register().keys("work#", "", 10)).isEmpty();
    }

    /** Dropped slots are recorded as one range, in which a start may lie. */
    @Test
    void aRangeOfDroppedSlotsDoesNotSwallowAStart() {
        Job job = JobsWorld.job(
                ran,
                j -> j.run(run -> {
                    ran.add("started");
                    world.sleep(Duration.ofMinutes(10));
                    ran.add("ended");
                }));
        world.machine(job);
        world.advance(Duration.ofSeconds(1));
        start();
        world.advance(Duration.ofSeconds(5));
        world.records.pause(JobsWorld.JOB, Holder.of("bob"), Note.of("moving"));

        world.advance(Duration.ofMinutes(5));
        world.records.resume(JobsWorld.JOB);
        world.advance(Duration.ofMinutes(6));

        assertThat(ran).startsWith("started", "ended");
        assertThat(outcomes()).contains("ran", "dropped");
        assertEachHasOneOutcome();
    }

    @Test
    void onlySoManyStartsWaitForAMachine() {
        JobsWorld.Machine machine = world.machine(job(j -> {}));
        world.advance(Duration.ofSeconds(1));
        machine.die();
        for (int i = 0; i < JobStarts.MOST_WAITING; i++) {
            start();
        }

        assertThat(starts.start(JobsWorld.JOB, AttemptId.of("one-too-many"), PERSON))
                .isInstanceOf(StartResult.TooMany.class);
        assertThat(asked(AttemptId.of("request-0")).again()).isTrue();
    }

    /** A start while a slot is running, or while another start is. */
    @Nested
    class Overlapping {
        private void startTwice(Overlap overlap) {
            Job job = lasting(Duration.ofSeconds(30), j -> j.overlap(overlap));
            world.machine(job);
            world.machine(job);
            world.advance(Duration.ofSeconds(1));
            start();
            world.advance(Duration.ofSeconds(5));
            start();
        }

        @Test
        void skipSkipsIt() {
            startTwice(Overlap.SKIP);

            world.advance(Duration.ofMinutes(2));

            assertThat(ran).containsExactly("started", "ended");
            assertThat(outcomes()).containsExactlyInAnyOrder("ran", "skipped");
            assertEachHasOneOutcome();
        }

        @Test
        void waitRunsItAfterwards() {
            startTwice(new Overlap.Wait(Duration.ofMinutes(5)));

            world.advance(Duration.ofMinutes(2));

            assertThat(ran).containsExactly("started", "ended", "started", "ended");
            assertThat(outcomes()).containsExactly("ran", "ran");
            assertEachHasOneOutcome();
        }

        @Test
        void bufferKeepsTheNewest() {
            startTwice(new Overlap.Buffer());
            world.advance(Duration.ofSeconds(3));
            start();

            world.advance(Duration.ofMinutes(2));

            assertThat(ran).containsExactly("started", "ended", "started", "ended");
            assertThat(outcomes()).containsExactlyInAnyOrder("skipped", "ran", "ran");
            assertEachHasOneOutcome();
        }

        @Test
        void fallbackRunsItBesideTheOther() {
            startTwice(new Overlap.Fallback(LeaseName.of("second-lane")));

            world.advance(Duration.ofMinutes(2));

            assertThat(ran).containsExactly("started", "started", "ended", "ended");
            assertThat(outcomes()).containsExactly("ran", "ran");
            assertEachHasOneOutcome();
        }

        @Test
        void supersedeEndsTheOther() {
            startTwice(new Overlap.Supersede());

            world.advance(Duration.ofMinutes(2));

            assertThat(ran).containsExactly("started", "started", "ended");
            assertThat(outcomes()).containsExactly("failed", "ran");
            assertEachHasOneOutcome();
        }

        @Test
        void aSlotThatIsDueWhileAStartRunsObeysThePolicyToo() {
            Job job = lasting(Duration.ofSeconds(90), j -> {});
            world.machine(job);
            world.advanceTo("2026-01-01T02:59:30Z");
            start();

            world.advanceTo("2026-01-01T03:05:00Z");

            assertThat(ran).containsExactly("started", "ended");
            assertThat(outcomes()).containsExactlyInAnyOrder("skipped", "ran");
        }
    }
}
