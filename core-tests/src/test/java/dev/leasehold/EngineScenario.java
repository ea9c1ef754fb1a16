package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.InjectedFault.Place;
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

/**
 * The ways in which a process uses leases, run with a fault. Each scenario releases what it
 * acquired, as a user does.
 */
enum EngineScenario {
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

    /** The time between two checks; short compared with the heartbeat of 30 s. */
    private static final Duration STEP = Duration.ofSeconds(5);

    private static final OperationId MAIL = OperationId.of("mail");

    void play(EngineUnderFault engine) throws Exception {
        switch (this) {
            case TRY_AND_CLOSE -> tryAndClose(engine);
            case WAIT_BY_POLLING, WAIT_FOR_A_WAKE -> waitForLease(engine);
            case HOLD -> hold(engine);
            case GET_STUCK -> getStuck(engine);
            case RUN -> run(engine);
            case RUN_WHILE_TAKEN -> runWhileTaken(engine);
            case TAKE_OVER -> takeOver(engine);
            case ONE_OF_TWO_IS_TAKEN -> oneOfTwoIsTaken(engine);
            case KEYED_WORK -> keyedWork(engine);
            case SIDE_EFFECT -> sideEffect(engine);
        }
    }

    private static void tryAndClose(EngineUnderFault engine) {
        try {
            engine.leases
                    .tryAcquire(EngineUnderFault.JOB, EngineFixture.TERMS)
                    .lease()
                    .ifPresent(Lease::close);
        } catch (RuntimeException | Error e) {
            boolean duringRelease = engine.events.contains("acquired");
            engine.fault.end();
            if (!duringRelease && !engine.fault.isLasting()) {
                assertThat(engine.rival.acquires(Duration.ofSeconds(1)))
                        .as("the name is free immediately after a failed acquire")
                        .isInstanceOf(Acquisition.Granted.class);
            }
            throw e;
        }
    }

    private static void waitForLease(EngineUnderFault engine) throws InterruptedException {
        Grant rival = ((Acquisition.Granted) engine.rival.acquires(EngineUnderFault.TTL)).grant();
        engine.manual.timers().after(Duration.ofSeconds(3), () -> engine.memory.release(rival, Duration.ZERO));
        AcquireResult attempt =
                engine.leases.acquireWithin(EngineUnderFault.JOB, EngineFixture.TERMS, Duration.ofSeconds(20));
        attempt.lease().ifPresent(lease -> holdFor(engine, lease, 8));
    }

    private static void hold(EngineUnderFault engine) {
        engine.leases
                .tryAcquire(EngineUnderFault.JOB, EngineFixture.TERMS)
                .lease()
                .ifPresent(lease -> holdFor(engine, lease, 40));
    }

    /** Another process reports progress once. After that the lease makes no progress. */
    private static void getStuck(EngineUnderFault engine) {
        LeaseTerms terms = EngineFixture.TERMS.withProgressWithin(Duration.ofSeconds(40));
        engine.leases.tryAcquire(EngineUnderFault.JOB, terms).lease().ifPresent(lease -> {
            try (lease) {
                engine.watchOver(lease, "loss reported");
                for (int i = 0; i < 34; i++) {
                    engine.advance(STEP);
                    if (i == 6) {
                        engine.memory.progress(lease.grant(), Note.of("half way"), null);
                    }
                    requireOwnedOrReportedLost(engine, lease, "loss reported");
                }
                assertThat(lease.isTrusted())
                        .as("a lease that makes no progress")
                        .isFalse();
            }
        });
    }

    private static void takeOver(EngineUnderFault engine) {
        engine.rival.acquires(EngineUnderFault.TTL);
        engine.leases
                .takeOver(
                        EngineUnderFault.JOB,
                        EngineFixture.TERMS,
                        FencingToken.of(1),
                        AttemptId.of("our-attempt"),
                        Note.of("ours now"))
                .ifPresent(lease -> holdFor(engine, lease, 20));
    }

    /** Checks after each step that the holder owns the lease or that its loss was reported. */
    private static void holdFor(EngineUnderFault engine, Lease lease, int steps) {
        try (lease) {
            engine.watchOver(lease, "loss reported");
            for (int i = 0; i < steps; i++) {
                engine.advance(STEP);
                requireOwnedOrReportedLost(engine, lease, "loss reported");
            }
            if (!engine.fault.mayCostALease()) {
                assertThat(lease.isTrusted())
                        .as("the lease survives a single fault")
                        .isTrue();
            }
            lease.progress(Note.of("half way"), null);
            engine.advance(STEP);
            requireOwnedOrReportedLost(engine, lease, "loss reported");
        }
    }

    private static void requireOwnedOrReportedLost(EngineUnderFault engine, Lease lease, String event) {
        if (lease.isTrusted()) {
            var snapshot = engine.memory.inspect(lease.grant().name()).orElseThrow();
            assertThat(snapshot.lease().lossOf(lease.grant(), snapshot.at()))
                    .as("why the store does not consider a trusted lease current")
                    .isNull();
        } else {
            assertThat(lease.loss())
                    .as("the loss of a lease that is not trusted")
                    .isPresent();
            assertThat(engine.count(event)).as("reports of the loss").isEqualTo(1);
            assertThat(engine.events).as("events of the listener").contains("lost");
        }
    }

    private static void run(EngineUnderFault engine) throws Exception {
        RunOutcome<String> outcome = engine.leases.run(EngineUnderFault.JOB, EngineFixture.TERMS, lease -> {
            for (int i = 0; i < 20; i++) {
                engine.timers.sleep(STEP);
                engine.fault.reach(Place.USER, "work");
                if (i % 6 == 5) {
                    lease.progress(Note.of("at " + i), null);
                }
            }
            return "done";
        });
        assertThat(outcome).isNotInstanceOf(RunOutcome.Skipped.class);
    }

    /**
     * The work is stopped within the time for which it trusted the lease that was taken over.
     */
    private static void runWhileTaken(EngineUnderFault engine) throws Exception {
        int[] worked = new int[1];
        engine.leases.run(EngineUnderFault.JOB, EngineFixture.TERMS, lease -> {
            engine.watchOver(lease, "loss reported");
            engine.rival.takesOver();
            while (worked[0] < 40) {
                engine.timers.sleep(STEP);
                worked[0]++;
            }
            return "never stopped";
        });
        assertThat(worked[0]).as("steps worked after the takeover").isLessThan(18);
        assertThat(engine.count("loss reported")).isEqualTo(1);
        assertThat(engine.count("lost")).isEqualTo(1);
    }

    private static void oneOfTwoIsTaken(EngineUnderFault engine) {
        Lease other = engine.leases
                .tryAcquire(LeaseName.of("other"), EngineFixture.TERMS)
                .lease()
                .orElseThrow();
        try (other) {
            engine.watchOver(other, "other loss reported");
            Lease taken = engine.leases
                    .tryAcquire(EngineUnderFault.JOB, EngineFixture.TERMS)
                    .lease()
                    .orElseThrow();
            try (taken) {
                engine.watchOver(taken, "loss reported");
                engine.watchOver(taken, "loss reported again");
                engine.rival.takesOver();
                for (int i = 0; i < 18; i++) {
                    engine.advance(STEP);
                    requireOwnedOrReportedLost(engine, other, "other loss reported");
                }
                if (!engine.fault.mayCostALease()) {
                    assertThat(other.isTrusted())
                            .as("the lease that was not taken")
                            .isTrue();
                }
                assertThat(engine.count("loss reported")).isEqualTo(1);
                assertThat(engine.count("loss reported again")).isEqualTo(1);
            }
            engine.advance(Duration.ofSeconds(100));
            requireOwnedOrReportedLost(engine, other, "other loss reported");
        }
    }

    private static void keyedWork(EngineUnderFault engine) throws Exception {
        WorkLedger ledger = WorkLedger.over(engine.store, engine.timers);
        int[] done = new int[1];
        try {
            workOnce(engine, ledger, done);
        } finally {
            engine.fault.end();
            engine.advance(EngineUnderFault.TTL);
            WorkOutcome second = workOnce(engine, ledger, done);
            assertThat(second).isInstanceOfAny(WorkOutcome.Completed.class, WorkOutcome.AlreadyDone.class);
            int before = done[0];
            assertThat(workOnce(engine, ledger, done)).isInstanceOf(WorkOutcome.AlreadyDone.class);
            assertThat(done[0]).as("runs of a key that is done").isEqualTo(before);
        }
    }

    private static WorkOutcome workOnce(EngineUnderFault engine, WorkLedger ledger, int[] done) throws Exception {
        try (Lease lease = engine.leases
                .tryAcquire(EngineUnderFault.JOB, EngineFixture.TERMS)
                .lease()
                .orElseThrow()) {
            WorkOutcome outcome = ledger.run(lease, "key", ongoing -> {
                done[0]++;
                engine.fault.reach(Place.USER, "work");
                ongoing.checkpoint("half");
                ongoing.thenDeliver("tell them");
                return "result";
            });
            Delivery delivery = ledger.deliver(lease.grant(), effect -> engine.fault.reach(Place.USER, "deliver"));
            assertThat(delivery.delivered().size() + delivery.left().size()).isLessThanOrEqualTo(1);
            return outcome;
        }
    }

    private static void sideEffect(EngineUnderFault engine) throws Exception {
        int[] made = new int[1];
        try {
            effectOnce(engine, made);
        } finally {
            engine.fault.end();
            engine.advance(EngineUnderFault.TTL);
            Outcome second = effectOnce(engine, made);
            assertThat(made[0])
                    .as("a call that was made is not repeated, except after an unknown outcome: %s", second)
                    .isEqualTo(second instanceof Outcome.Unknown ? made[0] : 1);
            assertThat(made[0]).as("number of calls").isLessThanOrEqualTo(1);
        }
    }

    private static Outcome effectOnce(EngineUnderFault engine, int[] made) throws Exception {
        try (Lease lease = engine.leases
                .tryAcquire(EngineUnderFault.JOB, EngineFixture.TERMS)
                .lease()
                .orElseThrow()) {
            SideEffect effects =
                    new SideEffect(engine.store, engine.leases.context().ticker());
            effects.raise(lease.grant());
            return effects.perform(lease.grant(), MAIL, key -> {
                engine.fault.reach(Place.USER, "before the call");
                made[0]++;
                engine.fault.reach(Place.USER, "after the call");
                return Answer.made("sent");
            });
        }
    }
}
