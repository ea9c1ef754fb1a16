package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that is killed and restarted under its clients costs no lease, and issues no token
 * twice.
 */
class PostgresRestartTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int CLIENTS = 4;

    @TempDir
    Path directory;

    @Test
    void killedServerCostsNoLeaseAndNoToken() throws Exception {
        try (RestartablePostgres server = RestartablePostgres.start(directory.resolve("data"));
                LeaseStore store = new JdbcStoreProvider()
                        .create("postgresql://postgres@localhost:" + server.port() + "/postgres")) {
            Grant held = granted(store.acquire(LeaseName.of("held"), AttemptId.of("attempt-held"), holder(0), LONG));
            AtomicBoolean over = new AtomicBoolean();
            ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
            try {
                List<Future<Long>> running = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    int number = i;
                    Callable<Long> load = () -> acquireAndRelease(store, number, over);
                    running.add(threads.submit(load));
                }
                Thread.sleep(300);
                server.killAndStart();
                retrying(() -> assertThat(store.renew(List.of(new RenewRequest(held, LONG)))
                                .get(0))
                        .isInstanceOf(Renewal.Renewed.class));
                Thread.sleep(300);
                over.set(true);
                assertOneTokenForEachRound(store, running);
            } finally {
                over.set(true);
                threads.shutdownNow();
            }
            assertThat(store.release(held, Duration.ZERO)).isInstanceOf(Release.Released.class);
        }
    }

    private static void assertOneTokenForEachRound(LeaseStore store, List<Future<Long>> clients) throws Exception {
        for (int i = 0; i < clients.size(); i++) {
            long rounds = clients.get(i).get(30, TimeUnit.SECONDS);
            assertThat(rounds).as("rounds of client %s", i).isGreaterThan(2);
            LeaseName name = LeaseName.of("load-" + i);
            assertThat(store.inspect(name).orElseThrow().lease().token().value())
                    .isEqualTo(rounds);
        }
    }

    /** Each round retries with its own attempt id until it is answered, as the engine does. */
    private static long acquireAndRelease(LeaseStore store, int client, AtomicBoolean over) throws Exception {
        LeaseName name = LeaseName.of("load-" + client);
        long rounds = 0;
        while (!over.get()) {
            AttemptId attempt = AttemptId.of("attempt-" + client + "-" + rounds);
            rounds++;
            long expected = rounds;
            Grant[] grant = new Grant[1];
            retrying(() -> {
                grant[0] = granted(store.acquire(name, attempt, holder(client), LONG));
                assertThat(grant[0].token().value()).isEqualTo(expected);
            });
            retrying(() -> assertThat(store.release(grant[0], Duration.ZERO))
                    .isInstanceOfAny(Release.Released.class, Release.AlreadyReleased.class));
        }
        return rounds;
    }

    private static void retrying(Runnable step) throws InterruptedException {
        StoreUnavailableException latest = null;
        for (int tries = 0; tries < 200; tries++) {
            try {
                step.run();
                return;
            } catch (StoreUnavailableException e) {
                latest = e;
                Thread.sleep(50);
            }
        }
        throw latest;
    }

    private static Grant granted(Acquisition answer) {
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        return ((Acquisition.Granted) answer).grant();
    }

    private static Holder holder(int number) {
        return Holder.of("client " + number);
    }
}
