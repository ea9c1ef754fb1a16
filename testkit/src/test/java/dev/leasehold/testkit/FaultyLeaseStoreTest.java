package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.store.MemoryLeaseStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FaultyLeaseStoreTest {
    private static final LeaseName NAME = LeaseName.of("job");
    private static final Holder ALICE = Holder.of("alice");
    private static final Duration TTL = Duration.ofSeconds(90);

    private final ManualContext manual = new ManualContext();
    private final MemoryLeaseStore behind = new MemoryLeaseStore(StoreId.of("memory-store"), manual.clock());
    private final FaultyLeaseStore faulty = new FaultyLeaseStore(behind, manual.timers());

    private Acquisition acquire() {
        return faulty.acquire(NAME, AttemptId.of(manual.ids().unique()), ALICE, TTL);
    }

    private void assertUnavailable() {
        assertThatThrownBy(this::acquire)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("unknown");
    }

    @Test
    void callsWithoutAFaultAreForwarded() {
        assertThat(acquire()).isInstanceOf(Acquisition.Granted.class);
        assertThat(faulty.id()).isEqualTo(behind.id());
        assertThat(faulty.list("", "", 10)).hasSize(1);
        assertThat(faulty.history(NAME, 10)).hasSize(1);
        assertThat(faulty.register()).isSameAs(behind.register());
        assertThat(faulty.warnings()).isEqualTo(behind.warnings());
    }

    @Test
    void droppedRequestDoesNotReachTheStore() {
        faulty.dropRequestOnce(StoreOperation.ACQUIRE);
        assertUnavailable();
        assertThat(behind.inspect(NAME)).isEmpty();
        assertThat(acquire()).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void callWhoseReplyIsDroppedTakesEffect() {
        faulty.dropReplyOnce();
        assertUnavailable();
        assertThat(behind.inspect(NAME)).isPresent();
        assertThat(acquire()).isInstanceOf(Acquisition.Busy.class);
    }

    @Test
    void faultWaitsForItsOperation() {
        faulty.dropRequestOnce(StoreOperation.RELEASE, StoreOperation.RENEW);
        Grant grant = ((Acquisition.Granted) acquire()).grant();
        assertThat(faulty.faultsWaiting()).isEqualTo(1);
        assertThatThrownBy(() -> faulty.release(grant, Duration.ZERO)).isInstanceOf(StoreUnavailableException.class);
        assertThat(faulty.faultsWaiting()).isZero();
        assertThat(behind.inspect(NAME).orElseThrow().state()).isEqualTo(LeaseSnapshot.State.HELD);
    }

    @Test
    void delayedRequestReachesTheStoreLate() {
        faulty.delayNext(Duration.ofSeconds(10));
        acquire();
        assertThat(manual.timers().elapsed()).isEqualTo(Duration.ofSeconds(10));
        assertThat(behind.inspect(NAME).orElseThrow().remaining()).isEqualTo(TTL);
    }

    @Test
    void leaseAgesWhileItsReplyIsDelayed() {
        faulty.delayReplyOfNext(Duration.ofSeconds(10));
        acquire();
        assertThat(behind.inspect(NAME).orElseThrow().remaining()).isEqualTo(TTL.minusSeconds(10));
    }

    @Test
    void interruptedDelayIsAnUnknownOutcome() {
        faulty.delayNext(Duration.ofSeconds(10));
        Thread.currentThread().interrupt();
        assertUnavailable();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void duplicateArrivesImmediatelyOrLater() {
        faulty.duplicateNext(StoreOperation.ACQUIRE);
        Grant grant = ((Acquisition.Granted) acquire()).grant();
        assertThat(behind.history(NAME, 10)).hasSize(1);
        faulty.duplicateNextAfter(Duration.ofSeconds(5), StoreOperation.ABANDON);
        faulty.abandon(LeaseName.of("nothing"), AttemptId.of(manual.ids().unique()));
        assertThat(manual.timers().pending()).isEqualTo(1);
        manual.advance(Duration.ofSeconds(5));
        assertThat(manual.timers().pending()).isZero();
        assertThat(behind.inspect(NAME).orElseThrow().lease().token()).isEqualTo(grant.token());
    }

    @Test
    void failsAsOftenAsRequestedOrUntilHealed() {
        faulty.failNext(2, StoreOperation.ACQUIRE);
        assertUnavailable();
        assertUnavailable();
        assertThat(acquire()).isInstanceOf(Acquisition.Granted.class);
        faulty.failUntilHealed();
        for (int i = 0; i < 5; i++) {
            assertUnavailable();
        }
        assertThatThrownBy(() -> faulty.inspect(NAME)).isInstanceOf(StoreUnavailableException.class);
        faulty.heal();
        assertThat(acquire()).isInstanceOf(Acquisition.Busy.class);
    }

    @Test
    void generatorDecidesWhereNoFaultIsRequested() {
        FaultyLeaseStore generated = new FaultyLeaseStore(
                behind,
                manual.timers(),
                operation -> operation == StoreOperation.INSPECT ? Fault.REQUEST_DROPPED : Fault.NONE);
        assertThatThrownBy(() -> generated.inspect(NAME)).isInstanceOf(StoreUnavailableException.class);
        assertThat(generated.history(NAME, 1)).isEmpty();
        generated.dropReplyOnce(StoreOperation.HISTORY);
        assertThatThrownBy(() -> generated.history(NAME, 1)).isInstanceOf(StoreUnavailableException.class);
    }
}
