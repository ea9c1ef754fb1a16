package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Trouble.Place;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Note;
import dev.leasehold.model.OperationId;
import dev.leasehold.work.Delivery;
import dev.leasehold.work.SideEffect;
import dev.leasehold.work.SideEffect.Answer;
import dev.leasehold.work.SideEffect.Outcome;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkOutcome;
import java.time.Duration;

/** What a process does with leases while something may go wrong. Each story gives back what it takes, as a user does. */
enum Story {
    TRY_AND_CLOSE,
    WAIT_BY_POLLING,
    WAIT_FOR_A_WAKE,
    HOLD,
    GET_STUCK,
    RUN,
    RUN_WHILE_TAKEN,
    TAKE_OVER,
    ONE_OF_TWO_IS_TAKEN,
    KEYED_WORK,
    SIDE_EFFECT;

    /** How long the holder looks away; short against the heartbeat of 30 s. */
    private static final Duration STEP = Duration.ofSeconds(5);

    private static final OperationId MAIL = OperationId.of("mail");

    void tell(Stage stage) throws Exception {
        switch (this) {
            case TRY_AND_CLOSE -> tryAndClose(stage);
            case WAIT_BY_POLLING, WAIT_FOR_A_WAKE -> waitForIt(stage);
            case HOLD -> hold(stage);
            case GET_STUCK -> getStuck(stage);
            case RUN -> run(stage);
            case RUN_WHILE_TAKEN -> runWhileTaken(stage);
            case TAKE_OVER -> takeOver(stage);
            case ONE_OF_TWO_IS_TAKEN -> oneOfTwoIsTaken(stage);
            case KEYED_WORK -> keyedWork(stage);
            case SIDE_EFFECT -> sideEffect(stage);
        }
    }

    private static void tryAndClose(Stage stage) {
        try {
            stage.leases.tryAcquire(Stage.JOB, EngineWorld.TERMS).lease().ifPresent(Lease::close);
        } catch (RuntimeException | Error e) {
            boolean aboutTheRelease = stage.events.contains("acquired");
            stage.trouble.end();
            if (!aboutTheRelease && !stage.trouble.isLasting()) {
                assertThat(stage.rivalAcquires(Duration.ofSeconds(1)))
                        .as("the name is free at once when an acquire fails")
                        .isInstanceOf(Acquisition.Granted.class);
            }
            throw e;
        }
    }

    private static void waitForIt(Stage stage) throws InterruptedException {
        Grant rival = ((Acquisition.Granted) stage.rivalAcquires(Stage.TTL)).grant();
        stage.manual.timers().after(Duration.ofSeconds(3), () -> stage.memory.release(rival, Duration.ZERO));
        AcquireResult attempt = stage.leases.acquireWithin(Stage.JOB, EngineWorld.TERMS, Duration.ofSeconds(20));
        attempt.lease().ifPresent(lease -> holdFor(stage, lease, 8));
    }

    private static void hold(Stage stage) {
        stage.leases.tryAcquire(Stage.JOB, EngineWorld.TERMS).lease().ifPresent(lease -> holdFor(stage, lease, 40));
    }

    /** Its progress is told to the store by another process, once; then it is stuck. */
    private static void getStuck(Stage stage) {
        LeaseTerms terms = EngineWorld.TERMS.withProgressWithin(Duration.ofSeconds(40));
        stage.leases.tryAcquire(Stage.JOB, terms).lease().ifPresent(lease -> {
            try (lease) {
                stage.watchOver(lease, "told");
                for (int i = 0; i < 34; i++) {
                    stage.advance(STEP);
                    if (i == 6) {
                        stage.memory.progress(lease.grant(), Note.of("half way"), null);
                    }
                    requireTrueOrTold(stage, lease, "told");
                }
                assertThat(lease.isTrusted())
                        .as("a lease that makes no progress")
                        .isFalse();
            }
        });
    }

    private static void takeOver(Stage stage) {
        stage.rivalAcquires(Stage.TTL);
        stage.leases
                .takeOver(
                        Stage.JOB,
                        EngineWorld.TERMS,
                        FencingToken.of(1),
                        AttemptId.of("our-attempt"),
                        Note.of("ours now"))
                .ifPresent(lease -> holdFor(stage, lease, 20));
    }

    /** Whoever is not trusted any more has been told, and whoever is trusted is the owner. */
    private static void holdFor(Stage stage, Lease lease, int steps) {
        try (lease) {
            stage.watchOver(lease, "told");
            for (int i = 0; i < steps; i++) {
                stage.advance(STEP);
                requireTrueOrTold(stage, lease, "told");
            }
            if (!stage.trouble.mayCostALease()) {
                assertThat(lease.isTrusted())
                        .as("what went wrong once is made up for")
                        .isTrue();
            }
            lease.progress(Note.of("half way"), null);
            stage.advance(STEP);
            requireTrueOrTold(stage, lease, "told");
        }
    }

    private static void requireTrueOrTold(Stage stage, Lease lease, String event) {
        if (lease.isTrusted()) {
            var snapshot = stage.memory.inspect(lease.grant().name()).orElseThrow();
            assertThat(snapshot.lease().lossOf(lease.grant(), snapshot.at()))
                    .as("why the store does not call a trusted lease current")
                    .isNull();
        } else {
            assertThat(lease.loss())
                    .as("the loss of a lease that is not trusted")
                    .isPresent();
            assertThat(stage.count(event)).as("how often the loss was told").isEqualTo(1);
            assertThat(stage.events).as("what the listener was told").contains("lost");
        }
    }

    private static void run(Stage stage) throws Exception {
        RunOutcome<String> outcome = stage.leases.run(Stage.JOB, EngineWorld.TERMS, lease -> {
            for (int i = 0; i < 20; i++) {
                stage.timers.sleep(STEP);
                stage.trouble.reach(Place.USER, "work");
                if (i % 6 == 5) {
                    lease.progress(Note.of("at " + i), null);
                }
            }
            return "done";
        });
        assertThat(outcome).isNotInstanceOf(RunOutcome.Skipped.class);
    }

    /** The work is told to stop within the trusted time of the lease that was taken from it. */
    private static void runWhileTaken(Stage stage) throws Exception {
        int[] worked = new int[1];
        stage.leases.run(Stage.JOB, EngineWorld.TERMS, lease -> {
            stage.watchOver(lease, "told");
            stage.rivalTakesOver();
            while (worked[0] < 40) {
                stage.timers.sleep(STEP);
                worked[0]++;
            }
            return "never told to stop";
        });
        assertThat(worked[0]).as("steps worked after the takeover").isLessThan(18);
        assertThat(stage.count("told")).isEqualTo(1);
        assertThat(stage.count("lost")).isEqualTo(1);
    }

    private static void oneOfTwoIsTaken(Stage stage) {
        Lease other = stage.leases
                .tryAcquire(LeaseName.of("other"), EngineWorld.TERMS)
                .lease()
                .orElseThrow();
        try (other) {
            stage.watchOver(other, "told of the other");
            Lease taken = stage.leases
                    .tryAcquire(Stage.JOB, EngineWorld.TERMS)
                    .lease()
                    .orElseThrow();
            try (taken) {
                stage.watchOver(taken, "told");
                stage.watchOver(taken, "told too");
                stage.rivalTakesOver();
                for (int i = 0; i < 18; i++) {
                    stage.advance(STEP);
                    requireTrueOrTold(stage, other, "told of the other");
                }
                if (!stage.trouble.mayCostALease()) {
                    assertThat(other.isTrusted())
                            .as("the lease that was not taken")
                            .isTrue();
                }
                assertThat(stage.count("told")).isEqualTo(1);
                assertThat(stage.count("told too")).isEqualTo(1);
            }
            stage.advance(Duration.ofSeconds(100));
            requireTrueOrTold(stage, other, "told of the other");
        }
    }

    private static void keyedWork(Stage stage) throws Exception {
        WorkLedger ledger = WorkLedger.over(stage.store, stage.timers);
        int[] done = new int[1];
        try {
            workOnce(stage, ledger, done);
        } finally {
            stage.trouble.end();
            stage.advance(Stage.TTL);
            WorkOutcome second = workOnce(stage, ledger, done);
            assertThat(second).isInstanceOfAny(WorkOutcome.Completed.class, WorkOutcome.AlreadyDone.class);
            int before = done[0];
            assertThat(workOnce(stage, ledger, done)).isInstanceOf(WorkOutcome.AlreadyDone.class);
            assertThat(done[0]).as("work on a key that is done").isEqualTo(before);
        }
    }

    private static WorkOutcome workOnce(Stage stage, WorkLedger ledger, int[] done) throws Exception {
        try (Lease lease =
                stage.leases.tryAcquire(Stage.JOB, EngineWorld.TERMS).lease().orElseThrow()) {
            WorkOutcome outcome = ledger.run(lease, "key", ongoing -> {
                done[0]++;
                stage.trouble.reach(Place.USER, "work");
                ongoing.checkpoint("half");
                ongoing.thenDeliver("tell them");
                return "result";
            });
            Delivery delivery = ledger.deliver(lease.grant(), effect -> stage.trouble.reach(Place.USER, "deliver"));
            assertThat(delivery.delivered().size() + delivery.left().size()).isLessThanOrEqualTo(1);
            return outcome;
        }
    }

    private static void sideEffect(Stage stage) throws Exception {
        int[] made = new int[1];
        try {
            effectOnce(stage, made);
        } finally {
            stage.trouble.end();
            stage.advance(Stage.TTL);
            Outcome second = effectOnce(stage, made);
            assertThat(made[0])
                    .as("a call that was made may be made again only if somebody is asked: %s", second)
                    .isEqualTo(second instanceof Outcome.Unknown ? made[0] : 1);
            assertThat(made[0]).as("how often the call was made").isLessThanOrEqualTo(1);
        }
    }

    private static Outcome effectOnce(Stage stage, int[] made) throws Exception {
        try (Lease lease =
                stage.leases.tryAcquire(Stage.JOB, EngineWorld.TERMS).lease().orElseThrow()) {
            SideEffect effects =
                    new SideEffect(stage.store, stage.leases.context().ticker());
            effects.raise(lease.grant());
            return effects.perform(lease.grant(), MAIL, key -> {
                stage.trouble.reach(Place.USER, "before the call");
                made[0]++;
                stage.trouble.reach(Place.USER, "after the call");
                return Answer.made("sent");
            });
        }
    }
}
