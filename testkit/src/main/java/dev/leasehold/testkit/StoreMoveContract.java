package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreMovedException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests that every store must pass from which or to which a store can be moved. */
public abstract class StoreMoveContract extends StoreArrivalTests {
    private static final LeaseName FREE = LeaseName.of("free/again");
    private static final LeaseName NEW = LeaseName.of("new");
    private static final LeaseName FORGOTTEN = LeaseName.of("forgotten");
    private static final String TO = "file:/the other/place";
    private static final int CLIENTS = 4;
    private static final int MOST_STEPS = 1_000_000;

    /** More than a store may keep beside the record of a lease. */
    private static final int TRANSFERS = 40;

    /** What a move finds of a lease that is held. It may last a little longer than its holder was promised, and not less. */
    protected LeaseRecord moved(LeaseRecord held) {
        return held;
    }

    /** A lease that is held, one that was held many times, and a value. */
    private Grant fill(LeaseStore store) {
        Grant held = acquire(store, HELD);
        store.progress(held, Note.of("half"), Checkpoint.of("row 7"));
        for (int i = 1; i < TRANSFERS; i++) {
            store.release(acquire(store, FREE), Duration.ZERO);
        }
        store.intervene(Intervention.cancel(FREE, attempt(), HOLDER, Note.of("a reason: 100 %")));
        forget(store, acquire(store, FORGOTTEN));
        assertThat(store.register().compareAndSet(KEY, CasRegister.ABSENT, "two\nlines"))
                .isTrue();
        return held;
    }

    private static void forget(LeaseStore store, Grant grant) {
        store.release(grant, Duration.ZERO);
        assertThat(store.forget(List.of(new ForgetRequest(grant.name(), grant.token()))))
                .containsExactly(Forgetting.FORGOTTEN);
    }

    private static void assertMoved(ThrowingCallable step) {
        assertThatThrownBy(step)
                .isInstanceOfSatisfying(
                        StoreMovedException.class, e -> assertThat(e.to()).isEqualTo(TO))
                .hasMessageContaining(TO);
    }

    @Test
    void everyStepOfAClientIsToldThatTheStoreWasMoved() {
        try (LeaseStore store = Stores.create(url())) {
            Grant held = fill(store);
            String version = store.register().read(KEY).version();
            Stores.moveAway(url(), TO).close();

            assertMoved(() -> acquire(store, NEW));
            assertMoved(() -> acquire(store, FREE));
            assertMoved(() -> store.release(held, Duration.ZERO));
            assertMoved(() -> store.progress(held, Note.of("more"), null));
            assertMoved(() -> store.inspect(HELD));
            assertMoved(() -> store.list("", "", 10));
            assertMoved(() -> store.intervene(Intervention.repair(NEW, attempt(), HOLDER, 5, Note.of("r"))));
            assertMoved(() -> store.forget(List.of(new ForgetRequest(FREE, FencingToken.of(TRANSFERS)))));
            assertMoved(() -> store.register().read(KEY));
            assertMoved(() -> store.register().keys("", "", 10));
            assertMoved(() -> store.register().compareAndSet(KEY, version, "later"));
            assertMoved(() -> store.register().compareAndSet("work/b", CasRegister.ABSENT, "new"));
            assertNotRenewed(store, held);
        }
        assertMoved(() -> Stores.open(url()));
        assertMoved(() -> Stores.create(url()));
    }

    /** The outcome is unknown to the holder, which keeps its lease until the deadline. */
    private static void assertNotRenewed(LeaseStore store, Grant held) {
        try {
            assertThat(store.renew(List.of(new RenewRequest(held, TTL))))
                    .singleElement()
                    .isInstanceOf(Renewal.Unknown.class);
        } catch (StoreMovedException e) {
            assertThat(e.to()).isEqualTo(TO);
        }
    }

    @Test
    void theContentIsWholeAndAMoveThatWasInterruptedGoesOn() {
        LeaseSnapshot held;
        LeaseSnapshot free;
        List<Transfer> history;
        StoreId id;
        try (LeaseStore store = Stores.create(url())) {
            fill(store);
            id = store.id();
            held = store.inspect(HELD).orElseThrow();
            free = store.inspect(FREE).orElseThrow();
            history = store.history(FREE, LeaseStore.HISTORY_KEPT);
            assertThat(history).hasSize(TRANSFERS);
            assertThat(store.register().keys("", "", 10)).containsExactly(KEY);
        }
        for (int i = 0; i < 2; i++) {
            try (OutgoingStore outgoing = Stores.moveAway(url(), TO)) {
                LeaseStore content = outgoing.content();
                assertThat(outgoing.id()).isEqualTo(id);
                assertThat(content.names("", "", 10)).containsExactly(FREE, HELD);
                assertThat(content.inspect(HELD).orElseThrow().lease()).isEqualTo(moved(held.lease()));
                assertThat(content.inspect(FREE).orElseThrow().lease()).isEqualTo(free.lease());
                assertThat(content.history(FREE, LeaseStore.HISTORY_KEPT)).isEqualTo(history);
                assertThat(content.floor()).isEqualTo(1);
                assertThat(content.register().keys("", "", 10)).containsExactly(KEY);
                assertThat(content.register().read(KEY).value()).contains("two\nlines");
            }
        }
    }

    /** Clients that run into the move: what they were told before it is in the content. */
    @Test
    void nothingThatWasAcknowledgedIsLost() throws Exception {
        Stores.create(url()).close();
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            CountDownLatch working = new CountDownLatch(CLIENTS);
            List<Future<Acknowledged>> done = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                LeaseName name = LeaseName.of("client-" + i);
                done.add(clients.submit(() -> workUntilMoved(name, working)));
            }
            assertThat(working.await(30, TimeUnit.SECONDS)).isTrue();
            try (OutgoingStore outgoing = Stores.moveAway(url(), TO)) {
                for (int i = 0; i < CLIENTS; i++) {
                    LeaseName name = LeaseName.of("client-" + i);
                    Acknowledged last = done.get(i).get(60, TimeUnit.SECONDS);
                    LeaseRecord record =
                            outgoing.content().inspect(name).orElseThrow().lease();
                    assertThat(record.token().value()).isBetween(last.token, last.token + 1);
                    assertWhole(outgoing.content().history(name, LeaseStore.HISTORY_KEPT), record.token());
                    long count = outgoing.content()
                            .register()
                            .read(name.value())
                            .value()
                            .map(Long::parseLong)
                            .orElse(0L);
                    assertThat(count).isBetween(last.count, last.count + 1);
                }
            }
        } finally {
            clients.shutdownNow();
        }
    }

    private static void assertWhole(List<Transfer> history, FencingToken latest) {
        assertThat(history).hasSize((int) Math.min(LeaseStore.HISTORY_KEPT, latest.value()));
        for (int i = 0; i < history.size(); i++) {
            assertThat(history.get(i).token().value()).isEqualTo(latest.value() - i);
        }
    }

    /** The last token and the last value that the store confirmed. */
    private record Acknowledged(long token, long count) {}

    private Acknowledged workUntilMoved(LeaseName name, CountDownLatch working) {
        long token = 0;
        long count = 0;
        try (LeaseStore store = Stores.open(url())) {
            for (int steps = 0; steps < MOST_STEPS; steps++) {
                Grant grant = acquire(store, name);
                token = grant.token().value();
                store.release(grant, Duration.ZERO);
                CasRegister.Reading before = store.register().read(name.value());
                if (store.register().compareAndSet(name.value(), before.version(), Long.toString(count + 1))) {
                    count++;
                }
                if (steps == 3) {
                    working.countDown();
                }
            }
            throw new IllegalStateException("the store was never moved");
        } catch (StoreUnavailableException e) {
            // The move, or a step whose outcome the move made unknown.
            return new Acknowledged(token, count);
        }
    }

    @Test
    void aMoveThatIsNotFinishedCanGoElsewhereAndOneThatIsCannot() {
        Stores.create(url()).close();
        Stores.moveAway(url(), "file:/unreachable").close();
        try (OutgoingStore outgoing = Stores.moveAway(url(), TO)) {
            outgoing.allCopied();
        }
        assertMoved(() -> Stores.moveAway(url(), "file:/elsewhere"));
        try (OutgoingStore outgoing = Stores.moveAway(url(), TO)) {
            outgoing.finish();
        }
        assertMoved(() -> Stores.moveAway(url(), "file:/elsewhere"));
        Stores.moveAway(url(), TO).close();
        assertMoved(() -> Stores.open(url()));
    }

    /** The first process was stopped, and its user started another one. */
    @Test
    void onlyOneProcessCompletesAMove() {
        Stores.create(url()).close();
        try (OutgoingStore first = Stores.moveAway(url(), "file:/first")) {
            OutgoingStore second;
            try {
                second = Stores.moveAway(url(), TO);
            } catch (StoreUnavailableException e) {
                // The second one is refused while the first one lives.
                first.allCopied();
                return;
            }
            try (second) {
                assertThatThrownBy(first::allCopied).isInstanceOf(StoreUnavailableException.class);
                second.allCopied();
                assertThatThrownBy(first::finish).isInstanceOf(StoreUnavailableException.class);
            }
        }
        assertMoved(() -> Stores.open(url()));
    }

    /** A second process that waits for the first must not go by what it read before. */
    @Test
    void aProcessThatWaitedDoesNotUndoAMove() throws Exception {
        Stores.create(url()).close();
        ExecutorService second = Executors.newSingleThreadExecutor();
        try (OutgoingStore first = Stores.moveAway(url(), TO)) {
            Future<String> refusal = second.submit(() -> {
                try (OutgoingStore late = Stores.moveAway(url(), "file:/elsewhere")) {
                    return "not refused";
                } catch (StoreUnavailableException e) {
                    return "refused";
                }
            });
            TimeUnit.MILLISECONDS.sleep(500);
            boolean completed = isCompleted(first);
            first.close();
            if (completed) {
                assertThat(refusal.get(60, TimeUnit.SECONDS)).isEqualTo("refused");
                assertMoved(() -> Stores.open(url()));
            }
        } finally {
            second.shutdownNow();
        }
    }

    private static boolean isCompleted(OutgoingStore move) {
        try {
            move.allCopied();
            move.finish();
            return true;
        } catch (StoreUnavailableException e) {
            return false;
        }
    }

    @Test
    void aStoreThatDoesNotExistIsNotMoved() {
        assertThatThrownBy(() -> Stores.moveAway(url(), TO)).isInstanceOf(StoreMissingException.class);
    }
}
