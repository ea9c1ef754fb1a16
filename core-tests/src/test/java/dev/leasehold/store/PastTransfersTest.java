package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.Contention;
import dev.leasehold.internal.TransferText;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The history of a lease is in two places. No transfer may be in neither. */
class PastTransfersTest {
    private static final LeaseName NAME = LeaseName.of("job");
    private static final String KEY = "lease/job";
    private static final String PAST = "lease-history/job";

    private final ManualClock clock = new ManualClock();
    private final MemoryRegister memory = new MemoryRegister(clock);
    private final LeaseStore store = CasLeaseStore.over(memory);

    /** Fails writes to one key, before or after they have taken effect. */
    private final class FailingRegister implements CasRegister {
        private boolean fails;

        @Override
        public Reading read(String key) {
            return memory.read(key);
        }

        @Override
        public boolean compareAndSet(String key, String expected, String value) {
            if (fails && key.equals(KEY)) {
                throw new StoreUnavailableException("broken");
            }
            return memory.compareAndSet(key, expected, value);
        }

        @Override
        public boolean remove(String key, String expected) {
            return memory.remove(key, expected);
        }

        @Override
        public List<String> keys(String prefix, String after, int limit) {
            return memory.keys(prefix, after, limit);
        }
    }

    private static Grant grant(LeaseStore from) {
        AttemptId attempt = AttemptId.of(UUID.randomUUID().toString());
        Acquisition answer = from.acquire(NAME, attempt, Holder.of("me"), Duration.ofMinutes(1));
        Grant grant = ((Acquisition.Granted) answer).grant();
        from.release(grant, Duration.ZERO);
        return grant;
    }

    private List<Long> tokens() {
        return store.history(NAME, 1000).stream()
                .map(transfer -> transfer.token().value())
                .toList();
    }

    private static List<Long> downFrom(long token, int count) {
        return LongStream.iterate(token, next -> next - 1)
                .limit(Math.min(count, token))
                .boxed()
                .toList();
    }

    @Test
    void everyTransferIsKeptAfterEveryStep() {
        for (int i = 1; i <= 2 * LeaseStore.HISTORY_KEPT + 5; i++) {
            assertThat(grant(store).token().value()).isEqualTo(i);
            assertThat(tokens()).isEqualTo(downFrom(i, LeaseStore.HISTORY_KEPT));
        }
    }

    @Test
    void recordStaysSmall() {
        for (int i = 0; i < 3 * LeaseStore.HISTORY_KEPT; i++) {
            grant(store);
            assertThat(memory.read(KEY).value().orElseThrow().length()).isLessThan(2_500);
        }
    }

    @Test
    void stepThatFailsAfterTransfersMovedLosesNone() {
        FailingRegister failing = new FailingRegister();
        LeaseStore client = CasLeaseStore.over(failing);
        for (int i = 1; i <= 40; i++) {
            failing.fails = true;
            assertThatThrownBy(() -> grant(client)).isInstanceOf(StoreUnavailableException.class);
            failing.fails = false;
            assertThat(tokens()).isEqualTo(downFrom(i - 1, LeaseStore.HISTORY_KEPT));
            grant(client);
        }
    }

    @Test
    void clientThatIsLateDoesNotHideLaterTransfers() {
        for (int i = 0; i < 40; i++) {
            grant(store);
        }
        List<String> old = new ArrayList<>();
        for (Transfer transfer : store.history(NAME, 1000).subList(30, 40)) {
            old.add(TransferText.format(transfer));
        }
        new PastTransfers(memory, Contention.system()).add(NAME, old);
        assertThat(tokens()).isEqualTo(downFrom(40, 64));
    }

    @Test
    void clientsOfAStoreWithoutAClockDoNotUndoWhatTheOtherMoved() {
        LeaseStore first = CasLeaseStore.over(new ClocklessMemoryRegister(memory, clock));
        LeaseStore second = CasLeaseStore.over(new ClocklessMemoryRegister(memory, clock));
        for (int i = 1; i <= 2 * LeaseStore.HISTORY_KEPT; i++) {
            grant(i % 40 < 20 ? first : second);
            assertThat(tokens()).isEqualTo(downFrom(i, LeaseStore.HISTORY_KEPT));
        }
    }

    @Test
    void historyThatWasRemovedDoesNotComeBack() {
        LeaseStore client = CasLeaseStore.over(new ClocklessMemoryRegister(memory, clock));
        for (int i = 0; i < 20; i++) {
            grant(client);
        }
        assertThat(memory.remove(PAST, memory.read(PAST).version())).isTrue();
        for (int i = 21; i <= 40; i++) {
            grant(client);
        }
        assertThat(tokens()).startsWith(40L, 39L).doesNotContain(1L);
    }

    @Test
    void oneClientOfAStoreWithoutAClockReadsTheHistoryOnce() {
        ClocklessMemoryRegister register = new ClocklessMemoryRegister(memory, clock);
        LeaseStore client = CasLeaseStore.over(register);
        for (int i = 0; i < 20; i++) {
            grant(client);
        }
        int before = register.reads();
        for (int i = 0; i < 2 * LeaseStore.HISTORY_KEPT; i++) {
            grant(client);
        }
        assertThat(register.reads()).isEqualTo(before);
    }

    @Test
    void damagedHistoryDoesNotStopALease() {
        for (int i = 0; i < 20; i++) {
            grant(store);
        }
        CasRegister.Reading before = memory.read(PAST);
        assertThat(memory.compareAndSet(PAST, before.version(), "rubbish")).isTrue();
        assertThatThrownBy(() -> store.history(NAME, 1000))
                .isInstanceOf(StoreCorruptException.class)
                .hasMessageContaining(PAST);
        for (int i = 21; i <= 60; i++) {
            assertThat(grant(store).token().value()).isEqualTo(i);
        }
        assertThat(tokens()).startsWith(60L, 59L, 58L);
    }

    @Test
    void forgottenNameTakesItsHistoryAlong() {
        Grant last = grant(store);
        for (int i = 0; i < 20; i++) {
            last = grant(store);
        }
        assertThat(memory.read(PAST).value()).isPresent();
        assertThat(store.forget(List.of(new ForgetRequest(NAME, last.token())))).containsExactly(Forgetting.FORGOTTEN);
        assertThat(memory.read(PAST).value()).isEmpty();
    }
}
