package dev.leasehold.redis;

import static dev.leasehold.redis.Fixtures.ALICE;
import static dev.leasehold.redis.Fixtures.LONG;
import static dev.leasehold.redis.Fixtures.REASON;
import static dev.leasehold.redis.Fixtures.acquire;
import static dev.leasehold.redis.Fixtures.command;
import static dev.leasehold.redis.Fixtures.freshAttempt;
import static dev.leasehold.redis.Fixtures.freshName;
import static dev.leasehold.redis.Fixtures.renew;
import static dev.leasehold.redis.Fixtures.withClient;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Protocol;

/** What the contract cannot check: keys, clocks, identity. */
@ExtendWith(SharedRedis.class)
class RedisLeaseStoreTest {
    private final String namespace = "test-" + UUID.randomUUID();
    private final String url = SharedRedis.url() + "?ns=" + namespace;

    @Test
    void concurrentFirstClientsAgreeOnTheStoreId() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            Callable<StoreId> open = () -> {
                try (LeaseStore store = RedisLeaseStore.create(url)) {
                    return store.id();
                }
            };
            Set<StoreId> ids = new HashSet<>();
            for (Future<StoreId> id : threads.invokeAll(List.of(open, open, open, open, open, open, open, open))) {
                ids.add(id.get());
            }
            assertThat(ids).hasSize(1);
        } finally {
            threads.shutdownNow();
        }
    }

    /** A Redis that was flushed must not become a second store. */
    @Test
    void opensNoStoreWhereThereIsNone() {
        for (int tries = 0; tries < 2; tries++) {
            assertThatThrownBy(() -> RedisLeaseStore.open(url))
                    .isInstanceOf(StoreMissingException.class)
                    .hasMessageContaining("store init");
        }
        RedisLeaseStore.create(url).close();
        RedisLeaseStore.open(url).close();
    }

    @Test
    void namespacesAndDatabasesAreDifferentStores() {
        LeaseName name = freshName();
        try (LeaseStore one = RedisLeaseStore.create(url);
                LeaseStore two = RedisLeaseStore.create(url + "-other");
                LeaseStore three = RedisLeaseStore.create(SharedRedis.url() + "/1?ns=" + namespace)) {
            for (LeaseStore store : List.of(one, two, three)) {
                assertThat(acquire(store, name).token().value()).isEqualTo(1);
            }
            assertThat(Set.of(one.id(), two.id(), three.id())).hasSize(3);
        }
    }

    @Test
    void nothingEverExpires() {
        try (LeaseStore store = RedisLeaseStore.create(url)) {
            Grant grant = acquire(store, freshName());
            store.release(grant, Duration.ZERO);
            store.register().compareAndSet("key", CasRegister.ABSENT, "value");
            List<Object> keys = Resp.list(command(url, Protocol.Command.KEYS, "{leasehold:" + namespace + "}:*"));
            assertThat(keys).hasSizeGreaterThanOrEqualTo(6);
            for (Object key : keys) {
                assertThat(command(url, Protocol.Command.TTL, Resp.text(key)))
                        .as("time to live of %s", Resp.text(key))
                        .isEqualTo(-1L);
            }
        }
    }

    /** Simulates a clock that was set back by an hour: every recorded time is in the future. */
    @Test
    void nameIsBusyForAtMostOneTermAfterTheClockIsSetBack() {
        try (LeaseStore store = RedisLeaseStore.create(url)) {
            Grant grant = acquire(store, freshName());
            LeaseRecord ahead = moveIntoTheFuture(store, grant.name(), Duration.ofHours(1));

            assertThat(renew(store, grant)).as("the holder does not notice").isInstanceOf(Renewal.Renewed.class);
            Acquisition answer = store.acquire(grant.name(), freshAttempt(), ALICE, LONG);
            assertThat(answer).isInstanceOf(Acquisition.Busy.class);
            assertThat(((Acquisition.Busy) answer).remaining()).isEqualTo(ahead.term());
            LeaseSnapshot rebased = store.inspect(grant.name()).orElseThrow();
            assertThat(rebased.at()).isBefore(ahead.seen().minus(Duration.ofMinutes(50)));
            assertThat(rebased.remaining()).isLessThanOrEqualTo(ahead.term());
            assertThat(rebased.lease().owner()).isEqualTo(ahead.owner());
            store.release(grant, Duration.ofMinutes(1));
            assertThat(store.inspect(grant.name()).orElseThrow().remaining())
                    .as("the minimum hold counts from now")
                    .isLessThanOrEqualTo(Duration.ofMinutes(1));
        }
    }

    @Test
    void clockThatWasSetBackDoesNotReviveALapsedLease() {
        try (LeaseStore store = RedisLeaseStore.create(url)) {
            Grant grant = acquire(store, freshName());
            LeaseRecord ahead = moveIntoTheFuture(store, grant.name(), Duration.ofHours(1));
            // The lease expired before the clock was set back.
            edit(grant.name(), record -> ByteBuffer.wrap(record)
                    .putDouble(0, micros(ahead.seen()))
                    .array());
            assertThat(renew(store, grant)).isInstanceOf(Renewal.NotRenewed.class);
            Grant next = acquire(store, grant.name());
            assertThat(next.token()).isEqualTo(grant.token().next());
            assertThat(store.inspect(grant.name()).orElseThrow().lease().owner().at())
                    .as("store time does not run backwards")
                    .isEqualTo(ahead.seen());
        }
    }

    @Test
    void exhaustedCounterStopsInsteadOfStartingOver() {
        try (LeaseStore store = RedisLeaseStore.create(url)) {
            LeaseName name = freshName();
            store.release(acquire(store, name), Duration.ZERO);
            edit(name, record -> ByteBuffer.wrap(record)
                    .putLong(38, Long.MAX_VALUE)
                    .array());
            assertThatThrownBy(() -> acquire(store, name))
                    .isInstanceOf(StoreCorruptException.class)
                    .hasMessageContaining("largest token");
            assertThat(store.history(name, 10)).hasSize(1);
        }
    }

    @Test
    void tokensRiseAcrossTheLimitsOfLuaNumbers() {
        try (LeaseStore store = RedisLeaseStore.create(url)) {
            for (long last : List.of(9L, 0xffff_ffffL, 9_007_199_254_740_992L, 0x7fff_fffe_ffff_ffffL)) {
                LeaseName name = freshName();
                store.intervene(Intervention.repair(name, freshAttempt(), ALICE, last - 1, REASON));
                assertThat(acquire(store, name).token().value()).isEqualTo(last + 1);
            }
        }
    }

    @Test
    void historyKeepsTheLastSixtyFourAndStaysBounded() {
        try (LeaseStore store = RedisLeaseStore.create(url)) {
            LeaseName name = freshName();
            for (int i = 0; i < 200; i++) {
                store.release(acquire(store, name), Duration.ZERO);
                List<Transfer> kept = store.history(name, Integer.MAX_VALUE);
                assertThat(kept).hasSizeBetween(Math.min(i + 1, 64), 128);
                assertThat(kept.get(0).token().value()).isEqualTo(i + 1);
                assertThat(kept.get(kept.size() - 1).token().value()).isEqualTo(i + 2 - kept.size());
            }
            assertThat(store.history(name, 3)).hasSize(3);
        }
    }

    @Test
    void deletedHistoryStartsAgain() {
        try (LeaseStore store = RedisLeaseStore.create(url)) {
            LeaseName name = freshName();
            store.release(acquire(store, name), Duration.ZERO);
            command(url, Protocol.Command.DEL, "{leasehold:" + namespace + "}:history:" + name);
            acquire(store, name);
            assertThat(store.history(name, 10))
                    .extracting(transfer -> transfer.token().value())
                    .containsExactly(2L);
        }
    }

    @Test
    void scratchNamesCanBeErasedAndOthersCannot() {
        try (LeaseStore store = RedisLeaseStore.create(url)) {
            LeaseName scratch = LeaseName.of(LeaseStore.SCRATCH_PREFIX + "a");
            acquire(store, scratch);
            assertThat(store.eraseScratch(scratch)).isTrue();
            assertThat(store.eraseScratch(scratch)).isFalse();
            assertThat(store.inspect(scratch)).isEmpty();
            assertThat(store.history(scratch, 10)).isEmpty();
            assertThat(store.list("", "", 10)).isEmpty();
            Grant kept = acquire(store, freshName());
            assertThatThrownBy(() -> store.eraseScratch(kept.name())).isInstanceOf(IllegalArgumentException.class);
            assertThat(store.inspect(kept.name())).isPresent();
        }
    }

    @Test
    void removedKeyDoesNotGetAnOldVersionBack() {
        try (LeaseStore store = RedisLeaseStore.create(url)) {
            CasRegister register = store.register();
            assertThat(register.compareAndSet("key", CasRegister.ABSENT, "one")).isTrue();
            String first = register.read("key").version();
            assertThat(register.remove("key", first + "0")).isFalse();
            assertThat(register.remove("key", CasRegister.ABSENT)).isFalse();
            assertThat(register.remove("key", first)).isTrue();
            assertThat(register.read("key").value()).isEmpty();
            assertThat(register.keys("", "", 10)).isEmpty();
            assertThat(register.compareAndSet("key", CasRegister.ABSENT, "one")).isTrue();
            assertThat(register.compareAndSet("key", first, "two")).isFalse();
        }
    }

    private LeaseRecord moveIntoTheFuture(LeaseStore store, LeaseName name, Duration jump) {
        LeaseRecord now = store.inspect(name).orElseThrow().lease();
        edit(name, record -> ByteBuffer.wrap(record)
                .putDouble(0, micros(now.deadline().plus(jump)))
                .putDouble(8, micros(now.seen().plus(jump)))
                .array());
        return store.inspect(name).orElseThrow().lease();
    }

    private static double micros(Instant time) {
        return time.getEpochSecond() * 1_000_000 + time.getNano() / 1000;
    }

    /** Edits the record in the format of record.lua. */
    private void edit(LeaseName name, UnaryOperator<byte[]> change) {
        byte[] key = Resp.bytes("{leasehold:" + namespace + "}:lease:" + name);
        withClient(url, client -> {
            byte[] record = (byte[]) client.call(RedisClient.Repeat.SAFE, Protocol.Command.GET, key);
            return client.call(RedisClient.Repeat.SAFE, Protocol.Command.SET, key, change.apply(record));
        });
    }
}
