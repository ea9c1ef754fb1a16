package dev.leasehold.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.OperationId;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ForwardingLeaseStore;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.ManualTicker;
import dev.leasehold.work.SideEffect.Answer;
import dev.leasehold.work.SideEffect.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A run is superseded while its call is under way. Its late answer must not end a call of its
 * successor.
 */
class StaleEffectTest {
    private static final LeaseName NAME = LeaseName.of("billing");
    private static final OperationId MAIL = OperationId.of("invoice-7.mail");
    private static final Answer NOT_MADE = Answer.notMade("the target knows nothing of it");

    private final ManualClock clock = new ManualClock();
    private final MemoryLeaseStore store = new MemoryLeaseStore(StoreId.of("store-0001"), clock);
    private final ManualTicker ticker = new ManualTicker();
    private final SideEffect effects = new SideEffect(store, ticker);
    private final Grant zombie = takeOver();
    private int calls;
    private int takeovers;

    @Test
    void lateNotMadeDoesNotEraseACallOfTheSuccessor() throws Exception {
        Outcome late = effects.perform(zombie, MAIL, key -> {
            settleAndBegin(takeOver());
            return NOT_MADE;
        });
        assertThat(((Outcome.BestEffort) late).recorded()).isFalse();
        assertBegunBy(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void lateSettlementDoesNotEraseACallOfTheSuccessor(int pausedBefore) throws Exception {
        begin(zombie, MAIL);
        Runnable meanwhile = () -> settleAndBegin(takeOver());
        PausingRegister register = new PausingRegister(store.register(), pausedBefore, meanwhile);
        new SideEffect(over(register), ticker).settle(zombie, MAIL, NOT_MADE);
        if (register.steps < pausedBefore) {
            meanwhile.run();
        }
        assertBegunBy(2);
    }

    @Test
    void lateNotMadeDoesNotEraseASecondCallOfTheSameToken() throws Exception {
        Outcome late = effects.perform(zombie, MAIL, key -> {
            clock.advance(Duration.ofSeconds(1));
            settleAndBegin(zombie);
            return NOT_MADE;
        });
        assertThat(((Outcome.BestEffort) late).recorded()).isFalse();
        assertBegunBy(1);
    }

    @Test
    void lateNotMadeOfASupersededRunIsNotRecorded() throws Exception {
        Outcome late = effects.perform(zombie, MAIL, key -> {
            effects.raise(takeOver());
            return NOT_MADE;
        });
        assertThat(((Outcome.BestEffort) late).recorded()).isFalse();
        assertBegunBy(1);
    }

    @Test
    void callOfAZombieCountsAsMade() throws Exception {
        Grant[] successor = new Grant[1];
        effects.perform(zombie, MAIL, key -> {
            successor[0] = takeOver();
            effects.settle(successor[0], MAIL, NOT_MADE);
            return Answer.made("accepted late");
        });
        assertThat(effects.perform(successor[0], MAIL, this::call))
                .as("a call that was made is not repeated")
                .isEqualTo(new Outcome.MadeBefore(zombie.token(), "accepted late"));
        assertThat(calls).isZero();
    }

    @Test
    void callsWithAKnownOutcomeDoNotCountTowardsTheLimit() throws Exception {
        Grant current = zombie;
        for (int i = 0; i < 100; i++) {
            OperationId one = OperationId.of("mail-" + i);
            Grant next = takeOver();
            effects.perform(next, one, key -> {
                Grant successor = takeOver();
                effects.settle(successor, one, NOT_MADE);
                begin(successor, one);
                return Answer.made("late");
            });
            current = takeOver();
        }
        assertThat(effects.unsettled(NAME)).isEmpty();
        assertThat(effects.perform(current, MAIL, this::call)).isInstanceOf(Outcome.BestEffort.class);
    }

    @Test
    void unreadableRecordDoesNotHideAnAnswer() throws Exception {
        Outcome outcome = effects.perform(zombie, MAIL, key -> {
            CasRegister register = store.register();
            String entry = "effects/" + NAME;
            register.compareAndSet(entry, register.read(entry).version(), "garbage");
            return Answer.made("accepted");
        });
        assertThat(((Outcome.BestEffort) outcome).recorded()).isFalse();
        assertThat(((Outcome.BestEffort) outcome).answer().text()).isEqualTo("accepted");
    }

    private Grant takeOver() {
        takeovers++;
        Acquisition answer = store.intervene(Intervention.takeover(
                NAME,
                AttemptId.of("attempt-" + takeovers),
                Holder.of("b"),
                Duration.ofHours(1),
                Note.of("the one before is stuck")));
        return ((Acquisition.Granted) answer).grant();
    }

    private Answer call(OperationId key) {
        calls++;
        return Answer.made("accepted " + key);
    }

    /**
     * Settles the call as not made, because the target does not know it yet, and makes the call
     * itself.
     */
    private void settleAndBegin(Grant grant) {
        assertThat(effects.settle(grant, MAIL, NOT_MADE)).isInstanceOf(Admission.Admitted.class);
        begin(grant, MAIL);
    }

    /** Makes the call and loses the answer. */
    private void begin(Grant grant, OperationId operation) {
        try {
            Outcome outcome = effects.perform(grant, operation, key -> {
                throw new IOException("the answer was lost");
            });
            throw new AssertionError("not called: " + outcome);
        } catch (Exception e) {
            assertThat(e).hasMessage("the answer was lost");
        }
    }

    private void assertBegunBy(long token) throws Exception {
        assertThat(effects.unsettled(NAME))
                .singleElement()
                .extracting(begun -> begun.token().value())
                .isEqualTo(token);
        assertThat(effects.perform(takeOver(), MAIL, this::call)).isInstanceOf(Outcome.Unknown.class);
        assertThat(calls).as("no call is repeated silently").isZero();
    }

    private LeaseStore over(CasRegister register) {
        return new ForwardingLeaseStore(store) {
            @Override
            public CasRegister register() {
                return register;
            }
        };
    }

    /** Pauses its process once, before one of its steps. */
    private static final class PausingRegister implements CasRegister {
        private final CasRegister behind;
        private final int pausedBefore;
        private final Runnable meanwhile;
        private int steps;

        PausingRegister(CasRegister behind, int pausedBefore, Runnable meanwhile) {
            this.behind = behind;
            this.pausedBefore = pausedBefore;
            this.meanwhile = meanwhile;
        }

        private void step() {
            if (++steps == pausedBefore) {
                meanwhile.run();
            }
        }

        @Override
        public Reading read(String key) {
            step();
            return behind.read(key);
        }

        @Override
        public boolean compareAndSet(String key, String expected, String value) {
            step();
            return behind.compareAndSet(key, expected, value);
        }

        @Override
        public List<String> keys(String prefix, String after, int limit) {
            return behind.keys(prefix, after, limit);
        }
    }
}
