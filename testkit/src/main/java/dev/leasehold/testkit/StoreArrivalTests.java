package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.Note;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The half of {@link StoreMoveContract} that is about the place to which a store is moved. */
abstract class StoreArrivalTests {
    static final LeaseName HELD = LeaseName.of("held");
    static final Holder HOLDER = Holder.of("a holder, with blanks");
    static final Duration TTL = Duration.ofMinutes(5);
    static final String KEY = "work/a";

    /** The URL of a place without a store. It stays the same during a test. */
    protected abstract String url();

    static AttemptId attempt() {
        return AttemptId.of(UUID.randomUUID().toString());
    }

    static Grant acquire(LeaseStore store, LeaseName name) {
        return ((Acquisition.Granted) store.acquire(name, attempt(), HOLDER, TTL)).grant();
    }

    /** A slow process that fills a place must not overwrite the store that another one has completed there. */
    @Test
    void aPlaceThatAnotherProcessCompletedIsNotOverwritten() {
        StoreId id = StoreId.of("an-earlier-store");
        Grant grant = new Grant(HELD, FencingToken.of(70), AttemptId.of("the-attempt"), id);
        try (IncomingStore slow = Stores.receive(url(), id)) {
            Instant now = slow.register().read("time").at().truncatedTo(ChronoUnit.MICROS);
            IncomingStore fast;
            try {
                fast = Stores.receive(url(), id);
            } catch (StoreUnavailableException e) {
                return;
            }
            try (fast) {
                fast.prepare();
                fast.complete();
            }
            try (LeaseStore store = Stores.open(url())) {
                assertThat(acquire(store, HELD).token().value()).isEqualTo(1);
            }
            assertThatThrownBy(() -> {
                        slow.put(held(grant, now), history(grant, now));
                        slow.prepare();
                        slow.complete();
                    })
                    .isInstanceOf(StoreUnavailableException.class);
        }
        try (LeaseStore store = Stores.open(url())) {
            assertThat(store.inspect(HELD).orElseThrow().lease().token().value())
                    .isEqualTo(1);
        }
    }

    @Test
    void aPlaceIsNoStoreBeforeItIsComplete() {
        StoreId id = StoreId.of("an-earlier-store");
        try (IncomingStore incoming = Stores.receive(url(), id)) {
            assertThatThrownBy(() -> Stores.open(url())).isInstanceOf(StoreUnavailableException.class);
            incoming.prepare();
            incoming.complete();
        }
        try (LeaseStore store = Stores.open(url())) {
            assertThat(store.id()).isEqualTo(id);
            assertThat(store.list("", "", 10)).isEmpty();
        }
    }

    @Test
    void aPlaceWithAStoreReceivesNone() {
        StoreId id;
        try (LeaseStore store = Stores.create(url())) {
            id = store.id();
        }
        assertThatThrownBy(() -> Stores.receive(url(), StoreId.of("another-store")))
                .isInstanceOf(StoreUnavailableException.class);
        try (LeaseStore store = Stores.open(url())) {
            assertThat(store.id()).isEqualTo(id);
        }
    }

    /** Twice, as after an interruption. */
    @Test
    void whatIsPutIsThereAndTheTokenGoesOn() {
        StoreId id = StoreId.of("an-earlier-store");
        Grant grant = new Grant(HELD, FencingToken.of(70), AttemptId.of("the-attempt"), id);
        for (int i = 0; i < 2; i++) {
            try (IncomingStore incoming = Stores.receive(url(), id)) {
                Instant now = incoming.register().read("time").at().truncatedTo(ChronoUnit.MICROS);
                incoming.put(held(grant, now), history(grant, now));
                incoming.raiseFloor(500);
                CasRegister.Reading before = incoming.register().read(KEY);
                assertThat(incoming.register().compareAndSet(KEY, before.version(), "two\nlines"))
                        .isTrue();
                if (i == 1) {
                    incoming.prepare();
                    incoming.complete();
                }
            }
        }
        try (LeaseStore store = Stores.open(url())) {
            LeaseRecord record = store.inspect(HELD).orElseThrow().lease();
            assertThat(String.valueOf(record.progress())).contains("half", "row 7");
            List<Transfer> history = store.history(HELD, 100);
            assertThat(history).hasSize(LeaseStore.HISTORY_KEPT);
            assertThat(history.get(0)).isEqualTo(record.owner());
            assertThat(history.get(63).token().value()).isEqualTo(7);
            assertThat(history.get(1).note()).isEqualTo(Note.of("note 69"));
            assertThat(store.list("", "", 10)).hasSize(1);
            assertThat(store.register().read(KEY).value()).contains("two\nlines");
            assertThat(store.register().keys("", "", 10)).containsExactly(KEY);

            assertThat(store.acquire(HELD, attempt(), HOLDER, TTL)).isInstanceOf(Acquisition.Busy.class);
            assertThat(store.renew(List.of(new RenewRequest(grant, TTL))))
                    .singleElement()
                    .isInstanceOf(Renewal.Renewed.class);
            store.release(grant, Duration.ZERO);
            assertThat(acquire(store, HELD).token().value()).isEqualTo(71);
            assertFloor(store);
            assertThat(store.history(HELD, 2)).hasSize(2).element(1).isEqualTo(record.owner());
        }
    }

    private static void assertFloor(LeaseStore store) {
        assertThat(store.floor()).isEqualTo(500);
        assertThat(acquire(store, LeaseName.of("a/new/name")).token().value()).isEqualTo(501);
    }

    private static LeaseRecord held(Grant grant, Instant now) {
        LeaseRecord.Progress progress = new LeaseRecord.Progress(Note.of("half"), Checkpoint.of("row 7"), now);
        return new LeaseRecord(grant.name(), owner(grant, 70, now), now.plus(TTL), TTL, false, now, progress);
    }

    private static Transfer owner(Grant grant, long token, Instant now) {
        boolean latest = token == grant.token().value();
        return new Transfer(
                FencingToken.of(token),
                latest ? AttemptId.of("the-attempt") : AttemptId.of("attempt-" + token),
                HOLDER,
                latest ? TransferReason.FIRST : TransferReason.RELEASED,
                latest ? null : Note.of("note " + token),
                now);
    }

    private static List<Transfer> history(Grant grant, Instant now) {
        List<Transfer> history = new ArrayList<>();
        for (long token = 70; token > 70 - LeaseStore.HISTORY_KEPT; token--) {
            history.add(owner(grant, token, now));
        }
        return history;
    }
}
