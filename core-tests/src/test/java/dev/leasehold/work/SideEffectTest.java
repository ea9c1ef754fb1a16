package dev.leasehold.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.OperationId;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.Intervention;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.ManualTicker;
import dev.leasehold.testkit.Racers;
import dev.leasehold.work.SideEffect.Answer;
import dev.leasehold.work.SideEffect.Outcome;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Calls to targets that cannot check tokens: each is recorded before it is made and never repeated
 * silently, and the result shows the window.
 */
class SideEffectTest {
    private static final LeaseName NAME = LeaseName.of("billing");
    private static final OperationId MAIL = OperationId.of("invoice-7.mail");

    private MemoryLeaseStore store;
    private ManualTicker ticker;
    private SideEffect effects;
    private Grant grant;
    private int calls;

    @BeforeEach
    void open() {
        store = new MemoryLeaseStore(StoreId.of("store-0001"), new ManualClock());
        ticker = new ManualTicker();
        effects = new SideEffect(store, ticker);
        grant = granted(store.acquire(NAME, AttemptId.of("attempt-0001"), Holder.of("a"), Duration.ofMinutes(1)));
    }

    private static Grant granted(Acquisition answer) {
        return ((Acquisition.Granted) answer).grant();
    }

    private Grant takeover() {
        return granted(store.intervene(Intervention.takeover(
                NAME, AttemptId.of("attempt-0002"), Holder.of("b"), Duration.ofMinutes(1), Note.of("stuck"))));
    }

    private Answer call(OperationId key) {
        calls++;
        ticker.advance(Duration.ofMillis(300));
        return Answer.made("accepted " + key);
    }

    @Test
    void callReceivesTheIdAndTheResultShowsTheWindow() throws Exception {
        Outcome outcome = effects.perform(grant, MAIL, this::call);
        assertThat(outcome)
                .isEqualTo(new Outcome.BestEffort(
                        Answer.made("accepted invoice-7.mail"), Duration.ZERO, Duration.ofMillis(300), true));
        assertThat(effects.unsettled(NAME)).isEmpty();
    }

    @Test
    void callThatWasMadeIsNotRepeatedEvenBySuccessors() throws Exception {
        effects.perform(grant, MAIL, this::call);
        Grant successor = takeover();
        for (Grant later : List.of(successor, successor)) {
            assertThat(effects.perform(later, MAIL, this::call))
                    .isEqualTo(new Outcome.MadeBefore(grant.token(), "accepted invoice-7.mail"));
        }
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void exceptionLeavesTheOutcomeUnknownUntilItIsSettled() throws Exception {
        assertThatThrownBy(() -> effects.perform(grant, MAIL, key -> {
                    calls++;
                    throw new IOException("timed out");
                }))
                .hasMessage("timed out");
        Outcome again = effects.perform(grant, MAIL, this::call);
        assertThat(again).isInstanceOf(Outcome.Unknown.class);
        assertThat(((Outcome.Unknown) again).begun().explanation())
                .contains("invoice-7.mail", "token 1", "Ask the target");
        Grant successor = takeover();
        assertThat(effects.perform(successor, MAIL, this::call)).isInstanceOf(Outcome.Unknown.class);
        assertThat(calls).isEqualTo(1);
        assertThat(effects.unsettled(NAME))
                .singleElement()
                .extracting(b -> b.token().value())
                .isEqualTo(1L);

        assertThat(effects.settle(grant, MAIL, Answer.notMade("the target knows nothing of it")))
                .as("a zombie cannot settle a call after its successor raised")
                .isInstanceOf(Admission.Stale.class);
        assertThat(effects.settle(successor, MAIL, Answer.notMade("the target knows nothing of it")))
                .isInstanceOf(Admission.Admitted.class);
        assertThat(effects.perform(successor, MAIL, this::call)).isInstanceOf(Outcome.BestEffort.class);
        assertThat(calls).isEqualTo(2);
    }

    @Test
    void callSettledAsMadeCountsAsMade() throws Exception {
        assertThatThrownBy(() -> effects.perform(grant, MAIL, key -> {
            throw new IOException("timed out");
        }));
        effects.settle(grant, MAIL, Answer.made("found at the target"));
        assertThat(effects.perform(grant, MAIL, this::call))
                .isEqualTo(new Outcome.MadeBefore(grant.token(), "found at the target"));
        assertThat(calls).isZero();
        assertThat(effects.unsettled(NAME)).isEmpty();
    }

    @Test
    void callThatCertainlyFailedCanBeRetried() throws Exception {
        Outcome failed = effects.perform(grant, MAIL, key -> Answer.notMade("refused: no such customer"));
        assertThat(failed).isInstanceOf(Outcome.BestEffort.class);
        assertThat(effects.perform(grant, MAIL, this::call)).isInstanceOf(Outcome.BestEffort.class);
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void grantThatIsNotCurrentMakesNoCall() throws Exception {
        Grant successor = takeover();
        assertThat(effects.perform(grant, MAIL, this::call)).isInstanceOf(Outcome.Refused.class);
        assertThat(effects.raise(successor)).isInstanceOf(Admission.Admitted.class);
        assertThat(effects.raise(grant)).isInstanceOf(Admission.Stale.class);
        assertThat(calls).isZero();
        assertThat(effects.unsettled(NAME)).isEmpty();
    }

    @Test
    void oneOfManyRacersMakesTheCall() throws Exception {
        AtomicInteger made = new AtomicInteger();
        try (Racers racers = new Racers(6)) {
            List<Outcome> outcomes = racers.race(i -> effects.perform(grant, MAIL, key -> {
                made.incrementAndGet();
                return Answer.made("by " + i);
            }));
            assertThat(made).hasValue(1);
            assertThat(outcomes)
                    .filteredOn(Outcome.BestEffort.class::isInstance)
                    .hasSize(1);
        }
    }

    @Test
    void numberOfUnknownOutcomesIsLimited() {
        List<OperationId> begun = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            OperationId one = OperationId.of("mail-" + i);
            begun.add(one);
            assertThatThrownBy(() -> effects.perform(grant, one, key -> {
                        throw new IOException("lost");
                    }))
                    .hasMessage("lost");
        }
        assertThatThrownBy(() -> effects.perform(grant, MAIL, this::call)).hasMessageContaining("Settle them first");
        assertThat(effects.unsettled(NAME)).hasSize(100);
        effects.settle(grant, begun.get(0), Answer.made("found"));
        assertThat(effects.unsettled(NAME)).hasSize(99);
        assertThat(calls).isZero();
    }

    @Test
    void idIsSentAsTheHeaderOfARequest() {
        HttpRequest request = IdempotencyKey.on(HttpRequest.newBuilder(URI.create("http://localhost/mail")), MAIL)
                .build();
        assertThat(request.headers().allValues("Idempotency-Key")).containsExactly("invoice-7.mail");
        assertThatThrownBy(() -> OperationId.of("a/b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> OperationId.of("a\r\nb")).isInstanceOf(IllegalArgumentException.class);
    }
}
