package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMovedException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ClocklessRegister;
import dev.leasehold.spi.ConnectedRegister;
import dev.leasehold.spi.IncomingStore;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.OutgoingStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store in a register moves away between any two calls of a client. */
class RegisterMoveTest {
    private static final LeaseName NAME = LeaseName.of("job");
    private static final String TO = "file:/the/other/place";
    private static final String PLACE = "memory";

    private final MemoryRegister memory = new MemoryRegister(Clock.systemUTC());
    private final InterruptedRegister clients = new InterruptedRegister(memory);
    private final InterruptedRegister movers = new InterruptedRegister(memory);

    /** One client's connection, which runs something else before one of its calls. */
    private static final class InterruptedRegister implements ClocklessRegister, ConnectedRegister {
        private final MemoryRegister memory;
        private int calls = Integer.MIN_VALUE;
        private Runnable interruption = () -> {};

        InterruptedRegister(MemoryRegister memory) {
            this.memory = memory;
        }

        /** @param number the next call has number 1 */
        void before(int number, Runnable action) {
            calls = -number;
            interruption = action;
        }

        private void called() {
            if (++calls == 0) {
                interruption.run();
            }
        }

        @Override
        public Reading read(String key) {
            called();
            CasRegister.requireStoredKey(key);
            return memory.read(key);
        }

        @Override
        public Optional<String> replace(String key, String expected, String value) {
            called();
            CasRegister.requireStoredKey(key);
            CasRegister.requireValue(value);
            return memory.replace(key, expected, value);
        }

        @Override
        public boolean remove(String key, String expected) {
            called();
            return memory.remove(key, expected);
        }

        @Override
        public List<String> keys(String prefix, String after, int limit) {
            called();
            return memory.keys(prefix, after, limit);
        }

        @Override
        public void close() {}
    }

    private static Acquisition acquire(LeaseStore store) {
        return store.acquire(NAME, AttemptId.of(UUID.randomUUID().toString()), Holder.of("h"), Duration.ofSeconds(30));
    }

    /** The token in the content of the store that moved; 0 if there is none. */
    private long moveAway() {
        try (OutgoingStore outgoing = CasLeaseStore.moveAway(movers, PLACE, TO)) {
            return outgoing.content()
                    .inspect(NAME)
                    .map(lease -> lease.lease().token().value())
                    .orElse(0L);
        }
    }

    /** A first grant takes six calls: record and floor, the reservation, both again, the grant. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void aNewNameIsGrantedBeforeTheMoveOrNotAtAll(int call) {
        LeaseStore store = CasLeaseStore.over(clients);
        long[] moved = {-1};
        clients.before(call, () -> moved[0] = moveAway());

        assertThatThrownBy(() -> acquire(store)).isInstanceOf(StoreMovedException.class);
        assertThat(moved[0]).as("the token that was moved").isZero();
    }

    /** The record is known, so that each step is one call. */
    @Test
    void aKnownNameIsNotGrantedAfterTheMove() {
        LeaseStore store = CasLeaseStore.over(clients);
        store.release(((Acquisition.Granted) acquire(store)).grant(), Duration.ZERO);
        long[] moved = {-1};
        clients.before(1, () -> moved[0] = moveAway());

        assertThatThrownBy(() -> acquire(store)).isInstanceOf(StoreMovedException.class);
        assertThat(moved[0]).isEqualTo(1);
    }

    /** To create a key takes two calls. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aNewKeyIsNotAcknowledgedAfterTheMove(int call) {
        LeaseStore store = CasLeaseStore.over(clients);
        clients.before(call, this::moveAway);

        assertThatThrownBy(() -> store.register().compareAndSet("work/new", CasRegister.ABSENT, "value"))
                .isInstanceOf(StoreMovedException.class);
    }

    /** The client is faster than the mover, at each of the mover's calls. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void whatIsAcknowledgedDuringTheMoveIsMoved(int call) {
        LeaseStore store = CasLeaseStore.over(clients);
        store.release(((Acquisition.Granted) acquire(store)).grant(), Duration.ZERO);
        long[] granted = {1};
        movers.before(call, () -> {
            try {
                granted[0] =
                        ((Acquisition.Granted) acquire(store)).grant().token().value();
            } catch (StoreMovedException e) {
                // The mover came first.
            }
        });

        assertThat(moveAway()).isEqualTo(granted[0]);
    }

    @Test
    void aValueWithoutRoomForTheMarkIsNotMoved() {
        LeaseStore store = CasLeaseStore.over(clients);
        String large = "x".repeat(CasRegister.MAX_VALUE_BYTES);
        assertThat(store.register().compareAndSet("work/large", CasRegister.ABSENT, large))
                .isTrue();

        assertThatThrownBy(this::moveAway)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("work/large")
                .hasMessageContaining("nothing was changed");
        assertThat(acquire(store)).isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void aStoreThatWasMovedHereKeepsTheLongestKeysAndMovesOn() {
        StoreId id = StoreId.of("an-earlier-store");
        String longest = "k".repeat(CasRegister.MAX_KEY_LENGTH);
        try (IncomingStore incoming = CasLeaseStore.receive(movers, PLACE, id)) {
            assertThat(incoming.register().compareAndSet(longest, CasRegister.ABSENT, "value"))
                    .isTrue();
            incoming.raiseFloor(7);
            incoming.prepare();
            incoming.complete();
        }
        LeaseStore store = CasLeaseStore.open(clients, PLACE);
        assertThat(store.id()).isEqualTo(id);
        assertThat(((Acquisition.Granted) acquire(store)).grant().token().value())
                .isEqualTo(8);
        try (OutgoingStore outgoing = CasLeaseStore.moveAway(movers, PLACE, TO)) {
            assertThat(outgoing.content().names("", "", 10)).containsExactly(NAME);
            assertThat(outgoing.content().floor()).isEqualTo(7);
            assertThat(outgoing.content().register().keys("", "", 10)).containsExactly(longest);
        }
        assertThatThrownBy(() -> acquire(store)).isInstanceOf(StoreMovedException.class);
        assertThatThrownBy(() -> CasLeaseStore.receive(movers, PLACE, id))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("moved away");
    }
}
