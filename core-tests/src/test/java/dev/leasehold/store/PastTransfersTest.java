package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.Contention;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.FaultyRegister;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.ManualTicker;
import dev.leasehold.testkit.ManualTimers;
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

    /** A client that pauses once, right after it has removed a key. */
    private final class PausingRegister implements CasRegister {
        private final String key;
        private Runnable pause;

        PausingRegister(String key, Runnable pause) {
            this.key = key;
            this.pause = pause;
        }

        @Override
        public Reading read(String of) {
            return memory.read(of);
        }

        @Override
        public boolean compareAndSet(String of, String expected, String value) {
            return memory.compareAndSet(of, expected, value);
        }

        @Override
        public boolean remove(String of, String expected) {
            boolean removed = memory.remove(of, expected);
            if (of.equals(key)) {
                Runnable now = pause;
                pause = () -> {};
                now.run();
            }
            return removed;
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

    private void grantTimes(int count) {
        for (int i = 0; i < count; i++) {
            grant(store);
        }
    }

    private static Forgetting forget(LeaseStore from, long token) {
        return from.forget(List.of(new ForgetRequest(NAME, FencingToken.of(token))))
                .get(0);
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

    /** Of the record, and of the older transfers. */
    @Test
    void requestOrAnswerThatIsLostLosesNoTransfer() {
        FaultyRegister faulty = new FaultyRegister(memory);
        LeaseStore client = CasLeaseStore.over(faulty);
        for (String key : List.of(KEY, PAST, PAST)) {
            for (Runnable fault : List.<Runnable>of(faulty::dropRequestOnce, faulty::dropReplyOnce)) {
                faulty.beforeNextWriteTo(key, fault);
                int tries = 0;
                while (faulty.faultsWaiting() > 0) {
                    assertThat(tries++).isLessThan(20);
                    AttemptId attempt = AttemptId.of(UUID.randomUUID().toString());
                    try {
                        client.acquire(NAME, attempt, Holder.of("me"), Duration.ofMinutes(1));
                    } catch (StoreUnavailableException e) {
                        assertThat(e).hasMessageContaining("lost");
                    }
                    assertThat(tokens()).isEqualTo(downFrom(token(), LeaseStore.HISTORY_KEPT));
                    client.abandon(NAME, attempt);
                }
            }
        }
        assertThat(token()).isGreaterThan(20);
    }

    private long token() {
        return store.inspect(NAME).map(seen -> seen.lease().token().value()).orElse(0L);
    }

    @Test
    void clientThatIsLateDoesNotHideLaterTransfers() {
        for (int i = 0; i < 40; i++) {
            grant(store);
        }
        Transfer late = store.history(NAME, 1000).get(30);
        LeaseRecord next = store.inspect(NAME).orElseThrow().lease();
        LeaseRecord old = new LeaseRecord(
                NAME, late, next.deadline(), next.term(), next.released(), next.seen(), next.progress());
        new PastTransfers(memory, Contention.system()).add(RecordText.formatAfterMove(old, 1), next);
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
        grantTimes(20);
        for (String damage :
                List.of("rubbish", "", "leasehold history 1\nhistory=x\n", "leasehold history 1\nhistory=1")) {
            CasRegister.Reading before = memory.read(PAST);
            assertThat(memory.compareAndSet(PAST, before.version(), damage)).isTrue();
            assertThatThrownBy(() -> store.history(NAME, 1000))
                    .as(damage)
                    .isInstanceOf(StoreCorruptException.class)
                    .hasMessageContaining(PAST);
            long token = token();
            for (int i = 1; i <= 40; i++) {
                assertThat(grant(store).token().value()).as(damage).isEqualTo(token + i);
            }
            assertThat(tokens()).startsWith(token + 40, token + 39, token + 38);
        }
    }

    @Test
    void damagedTransferInARecordDoesNotStopALease() {
        for (String damage : List.of("history-from=x", "history=x", "history=", "rubbish")) {
            do {
                grant(store);
            } while (RecordText.countHistory(memory.read(KEY).value().orElseThrow()) < 12);
            CasRegister.Reading before = memory.read(KEY);
            String text = before.value().orElseThrow();
            int line = text.indexOf("\nhistory=", text.indexOf("\nhistory=") + 1) + 1;
            String damaged = text.substring(0, line) + damage + text.substring(text.indexOf('\n', line));
            assertThat(memory.compareAndSet(KEY, before.version(), damaged)).isTrue();
            long token = token();
            for (int i = 1; i <= 20; i++) {
                assertThat(grant(store).token().value()).as(damage).isEqualTo(token + i);
            }
            assertThat(tokens()).contains(token, token + 1, token + 20).doesNotContain(token - 1);
        }
    }

    @Test
    void forgottenNameTakesItsHistoryAlong() {
        grantTimes(21);
        assertThat(memory.read(PAST).value()).isPresent();
        assertThat(forget(store, 21)).isEqualTo(Forgetting.FORGOTTEN);
        assertThat(memory.read(PAST).value()).isEmpty();
    }

    @Test
    void forgettingThatDiedIsRepeatedWithoutALeftover() {
        for (int writes = 0; writes < 3; writes++) {
            for (boolean oneMoreLands : List.of(false, true)) {
                grantTimes(20);
                long last = token();
                FaultyRegister faulty = new FaultyRegister(memory);
                LeaseStore client = CasLeaseStore.over(faulty);
                faulty.dieAfter(writes, oneMoreLands);
                assertThatThrownBy(() -> forget(client, last)).isInstanceOf(StoreUnavailableException.class);
                assertThat(forget(store, last)).isNotEqualTo(Forgetting.KEPT);
                assertThat(memory.read(KEY).value()).isEmpty();
                assertThat(memory.read(PAST).value()).isEmpty();
                assertThat(store.floor()).isEqualTo(last);
            }
        }
    }

    @Test
    void clientThatPausesWhileItForgetsLeavesTheHistoryOfTheNextLife() {
        grantTimes(20);
        LeaseStore client = CasLeaseStore.over(new PausingRegister(KEY, () -> grantTimes(20)));
        assertThat(forget(client, 20)).isEqualTo(Forgetting.FORGOTTEN);
        assertThat(tokens()).isEqualTo(downFrom(40, 20));
    }

    @Test
    void historyOfAForgottenNameDoesNotComeBack() {
        for (boolean byOperator : List.of(false, true)) {
            grantTimes(12);
            long last = token();
            FaultyRegister slow = new FaultyRegister(memory);
            LeaseStore late = CasLeaseStore.over(slow);
            slow.beforeNextWriteTo(PAST, () -> {
                assertThat(forget(store, last)).isEqualTo(Forgetting.FORGOTTEN);
                if (byOperator) {
                    store.intervene(Intervention.takeover(
                            NAME, AttemptId.of("operator"), Holder.of("op"), Duration.ofMinutes(1), Note.of("gone")));
                } else {
                    grant(store);
                }
            });
            late.acquire(NAME, AttemptId.of("late-client-" + last), Holder.of("late"), Duration.ofMinutes(1));
            assertThat(slow.faultsWaiting()).isZero();
            assertThat(memory.read(PAST).value().orElse("")).contains("history=" + last + " ");
            clock.advance(Duration.ofHours(1));
            for (int i = 0; i < 30; i++) {
                assertThat(tokens()).isEqualTo(downFrom(token(), (int) (token() - last)));
                grant(store);
            }
            assertThat(forget(store, token())).isEqualTo(Forgetting.FORGOTTEN);
        }
    }

    /** Each client of a store without a clock knows the record and the older transfers, as they were. */
    @Test
    void clientThatKnowsAForgottenRecordBringsNothingBack() {
        List<LeaseStore> clients = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            clients.add(CasLeaseStore.over(
                    new ClocklessMemoryRegister(memory, clock),
                    new Observations(new ManualTicker(), clock),
                    new ManualTimers(),
                    new SystemIds()));
        }
        long before = 0;
        for (int i = 0; i < 30; i++) {
            // So that the step on which the knowledge is out of date is each of those between two moves.
            long grants = 20 + i;
            for (int j = 0; j < grants; j++) {
                grant(clients.get(i % 2));
            }
            long last = token();
            assertThat(last).isEqualTo(before + grants);
            assertThat(tokens()).isEqualTo(downFrom(last, (int) grants));
            assertThat(forget(clients.get((i + 1) % 2), last)).isEqualTo(Forgetting.FORGOTTEN);
            assertThat(memory.read(PAST).value()).isEmpty();
            before = last;
        }
    }
}
