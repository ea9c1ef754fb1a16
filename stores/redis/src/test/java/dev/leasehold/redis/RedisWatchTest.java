package dev.leasehold.redis;

import static dev.leasehold.redis.Fixtures.ALICE;
import static dev.leasehold.redis.Fixtures.REASON;
import static dev.leasehold.redis.Fixtures.acquire;
import static dev.leasehold.redis.Fixtures.command;
import static dev.leasehold.redis.Fixtures.freshAttempt;
import static dev.leasehold.redis.Fixtures.freshName;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Watch;
import dev.leasehold.testkit.WaitingHerd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Protocol;

/** A release wakes waiters, also in another process. */
@ExtendWith(SharedRedis.class)
class RedisWatchTest {
    /** Far longer than a wake-up takes, and far shorter than the wait. */
    private static final Duration SOON = Duration.ofSeconds(5);

    private static final Duration WAIT = Duration.ofSeconds(60);

    private LeaseStore waiter;
    private LeaseStore holder;

    @BeforeEach
    void openTwoClients() {
        waiter = RedisLeaseStore.create(SharedRedis.url());
        holder = RedisLeaseStore.create(SharedRedis.url());
    }

    @AfterEach
    void closeClients() {
        waiter.close();
        holder.close();
    }

    @Test
    void releaseWakesTheWaiter() throws Exception {
        assertWokenBy(grant -> holder.release(grant, Duration.ZERO));
    }

    @Test
    void abandonWakesTheWaiter() throws Exception {
        assertWokenBy(grant -> holder.abandon(grant.name(), attemptOf(grant)));
    }

    @Test
    void cancelWakesTheWaiter() throws Exception {
        assertWokenBy(grant -> holder.intervene(Intervention.cancel(grant.name(), freshAttempt(), ALICE, REASON)));
    }

    @Test
    void releaseBeforeTheWaitIsNotMissed() throws Exception {
        Grant grant = acquire(holder, freshName());
        try (Watch watch = waiter.watch(grant.name()).orElseThrow()) {
            holder.release(grant, Duration.ZERO);
            long began = System.nanoTime();
            watch.await(WAIT);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SOON);
        }
    }

    /** Of two waiters one gets the lease, and the next release must wake the other. */
    @Test
    void remainingWaiterIsWokenAgain() throws Exception {
        Grant first = acquire(holder, freshName());
        try (Watch watch = waiter.watch(first.name()).orElseThrow()) {
            holder.release(first, Duration.ZERO);
            watch.await(WAIT);
            Grant second = acquire(holder, first.name());
            CompletableFuture<Void> woken = awaitElsewhere(watch);
            holder.release(second, Duration.ZERO);
            woken.get(SOON.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void nothingIsPublishedWithoutWaiters() throws Exception {
        LeaseName name = freshName();
        Grant waited = acquire(holder, name);
        waiter.watch(name).orElseThrow().close();
        for (int i = 0; i < 500 && subscribers(name) > 0; i++) {
            Thread.sleep(10);
        }
        holder.release(waited, Duration.ZERO);
        long before = published();
        for (int i = 0; i < 3; i++) {
            holder.release(acquire(holder, name), Duration.ZERO);
        }
        assertThat(published()).isEqualTo(before);
    }

    private static long published() {
        return calls("publish");
    }

    private static long calls(String command) {
        String statistics = Resp.text(command(SharedRedis.url(), Protocol.Command.INFO, "commandstats"));
        String entry = "cmdstat_" + command + ":calls=";
        int start = statistics.indexOf(entry);
        return start < 0
                ? 0
                : Long.parseLong(statistics.substring(start + entry.length(), statistics.indexOf(',', start)));
    }

    /** A release wakes one of them, so the others need not ask. */
    @Test
    void handOverTakesAsFewScriptsWithManyWaitersAsWithFew() throws Exception {
        double few = scriptsPerHandOver(5);
        double many = scriptsPerHandOver(50);
        assertThat(many).as("scripts per hand-over, with few waiters %s", few).isLessThan(few + 3);
    }

    /** Each process tells the others when it has the lease, so few of them ask in vain. */
    @Test
    void handOverTakesAsFewCommandsAmongManyProcessesAsAmongFew() throws Exception {
        double few = commandsPerHandOver(3);
        double many = commandsPerHandOver(24);
        assertThat(many)
                .as("commands per hand-over, among few processes %s", few)
                .isLessThan(few + 9);
    }

    private static double commandsPerHandOver(int processes) throws Exception {
        List<LeaseStore> stores = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            stores.add(RedisLeaseStore.create(SharedRedis.url()));
        }
        return WaitingHerd.statementsPerHandOver(
                stores, freshName(), 240 / processes, () -> calls("evalsha") + published());
    }

    private static double scriptsPerHandOver(int waiters) throws Exception {
        return WaitingHerd.statementsPerHandOver(
                RedisLeaseStore.create(SharedRedis.url()), freshName(), waiters, () -> calls("evalsha"));
    }

    @Test
    void releaseOfAnotherNameDoesNotWake() throws Exception {
        LeaseName name = freshName();
        Grant other = acquire(holder, freshName());
        try (Watch watch = waiter.watch(name).orElseThrow();
                Watch second = waiter.watch(freshName()).orElseThrow()) {
            holder.release(other, Duration.ZERO);
            long began = System.nanoTime();
            watch.await(Duration.ofMillis(300));
            second.await(Duration.ofMillis(1));
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
        }
    }

    /** All databases of a server have the same channels. */
    @Test
    void releaseInAnotherDatabaseWakesItsOwnWaitersOnly() throws Exception {
        LeaseName name = freshName();
        acquire(holder, name);
        try (LeaseStore other = RedisLeaseStore.create(SharedRedis.url() + "/1");
                Watch watch = waiter.watch(name).orElseThrow()) {
            Grant there = acquire(other, name);
            Watch watchThere = other.watch(name).orElseThrow();
            CompletableFuture<Void> woken = awaitElsewhere(watchThere);
            other.release(there, Duration.ZERO);
            woken.get(SOON.toSeconds(), TimeUnit.SECONDS);
            long began = System.nanoTime();
            watch.await(Duration.ofMillis(300));
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
            watchThere.close();
        }
    }

    @Test
    void brokenConnectionIsReplacedAndTheWaiterPollsMeanwhile() throws Exception {
        Grant grant = acquire(holder, freshName());
        try (Watch watch = waiter.watch(grant.name()).orElseThrow()) {
            command(SharedRedis.url(), Protocol.Command.CLIENT, "KILL", "TYPE", "pubsub");
            long began = System.nanoTime();
            watch.await(WAIT);
            watch.await(Duration.ofMillis(300));
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SOON);
            holder.release(grant, Duration.ZERO);
            watch.await(WAIT);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SOON.multipliedBy(2));
        }
    }

    @Test
    void listeningStopsWithoutWaiters() throws Exception {
        LeaseName name = freshName();
        Watch first = waiter.watch(name).orElseThrow();
        Watch second = waiter.watch(name).orElseThrow();
        assertThat(subscribers(name)).isEqualTo(1);
        first.close();
        assertThat(subscribers(name)).isEqualTo(1);
        second.close();
        for (int i = 0; i < 500 && subscribers(name) > 0; i++) {
            Thread.sleep(10);
        }
        assertThat(subscribers(name)).isZero();
    }

    private void assertWokenBy(Consumer<Grant> freeing) throws Exception {
        Grant grant = acquire(holder, freshName());
        try (Watch watch = waiter.watch(grant.name()).orElseThrow()) {
            CompletableFuture<Void> woken = awaitElsewhere(watch);
            freeing.accept(grant);
            woken.get(SOON.toSeconds(), TimeUnit.SECONDS);
        }
        acquire(waiter, grant.name());
    }

    private static CompletableFuture<Void> awaitElsewhere(Watch watch) {
        return CompletableFuture.runAsync(() -> {
            try {
                watch.await(WAIT);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static long subscribers(LeaseName name) {
        String channel = new RedisKeys("default").channel(name.value());
        Object answer = command(SharedRedis.url(), Protocol.Command.PUBSUB, "NUMSUB", channel);
        return Resp.number(Resp.list(answer).get(1));
    }

    private static AttemptId attemptOf(Grant grant) {
        return Objects.requireNonNull(grant.attempt());
    }
}
