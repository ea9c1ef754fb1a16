package dev.leasehold.redis;

import static dev.leasehold.redis.Fixtures.ALICE;
import static dev.leasehold.redis.Fixtures.LONG;
import static dev.leasehold.redis.Fixtures.freshAttempt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A durable server is killed and restarted while many clients work: no token is lost, and none is
 * issued twice.
 */
class RedisUnderLoadTest {
    private static final int WORKERS = 4;
    private static final int NAMES = 3;

    private final Map<String, AttemptId> issued = new ConcurrentHashMap<>();
    private final AtomicInteger grants = new AtomicInteger();
    private final AtomicBoolean working = new AtomicBoolean(true);

    @Test
    void killedServerLosesNothingItAcknowledged() throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
        try (RedisProcess server = RedisProcess.start("--appendonly", "yes", "--appendfsync", "always");
                LeaseStore store = RedisLeaseStore.create(server.url())) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                int worker = i;
                running.add(workers.submit(() -> work(store, worker)));
            }
            for (int restart = 0; restart < 3; restart++) {
                awaitGrants(grants.get() + 50);
                server.kill();
                server.startAgain();
            }
            awaitGrants(grants.get() + 50);
            working.set(false);
            for (Future<?> worker : running) {
                worker.get(30, TimeUnit.SECONDS);
            }
            for (int i = 0; i < NAMES; i++) {
                LeaseName name = LeaseName.of("load-" + i);
                long highest = store.inspect(name).orElseThrow().lease().token().value();
                for (long token = 1; token <= highest; token++) {
                    assertThat(issued).as("no token of %s was skipped", name).containsKey(name + " " + token);
                }
            }
        } finally {
            working.set(false);
            workers.shutdownNow();
        }
    }

    private void work(LeaseStore store, int worker) {
        int turn = worker;
        while (working.get()) {
            LeaseName name = LeaseName.of("load-" + turn++ % NAMES);
            AttemptId attempt = freshAttempt();
            Acquisition answer = ask(store, name, attempt);
            if (answer instanceof Acquisition.Granted granted) {
                AttemptId other = issued.put(name + " " + granted.grant().token(), attempt);
                assertThat(other == null || other.equals(attempt))
                        .as("%s was issued twice", granted.grant())
                        .isTrue();
                grants.incrementAndGet();
                release(store, granted.grant());
            }
        }
    }

    /**
     * Repeats with the same attempt id until there is an answer, which makes a lost reply harmless.
     */
    private static Acquisition ask(LeaseStore store, LeaseName name, AttemptId attempt) {
        for (int tries = 0; tries < 10_000; tries++) {
            try {
                return store.acquire(name, attempt, ALICE, LONG);
            } catch (StoreUnavailableException e) {
                pause();
            }
        }
        throw new AssertionError("the server did not come back");
    }

    private static void release(LeaseStore store, Grant grant) {
        for (int tries = 0; tries < 10_000; tries++) {
            try {
                store.release(grant, Duration.ZERO);
                return;
            } catch (StoreUnavailableException e) {
                pause();
            }
        }
        throw new AssertionError("the server did not come back");
    }

    private static void pause() {
        try {
            Thread.sleep(2);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void awaitGrants(int count) throws InterruptedException {
        for (int i = 0; i < 20_000 && grants.get() < count; i++) {
            Thread.sleep(1);
        }
        assertThat(grants.get()).as("grants within 20 s").isGreaterThanOrEqualTo(count);
    }
}
