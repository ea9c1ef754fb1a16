package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.LeaseStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A release is acknowledged before it is on disk. These tests crash the server in between. */
class PostgresReleaseTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration TTL = Duration.ofSeconds(12);

    @TempDir
    Path directory;

    private RestartablePostgres server;

    @Test
    void releaseUndoneByACrashIsRepeatedOrTheLeaseExpires() throws Exception {
        try (RestartablePostgres started = RestartablePostgres.start(directory.resolve("data"))) {
            server = started;
            CuttableConnections living = new CuttableConnections();
            CuttableConnections dead = new CuttableConnections();
            try (LeaseStore survivor = JdbcLeaseStore.open(living, true);
                    LeaseStore victim = JdbcLeaseStore.open(dead, true)) {
                Grant repeated = acquire(survivor, "repeated", LONG);
                Grant own = acquire(survivor, "own", LONG);
                Grant lost = acquire(victim, "lost", TTL);
                Grant atLeast = acquire(victim, "at-least", TTL);
                assertThat(victim.release(atLeast, LONG)).isInstanceOf(Release.Released.class);
                server.freezeWalWriter();
                release(survivor, living, repeated, own);
                release(victim, dead, lost);
                server.killAndStart();
                living.allowed = Integer.MAX_VALUE;

                try (LeaseStore other = open()) {
                    assertThat(acquireExisting(other, "lost"))
                            .as("the release was not on the disk")
                            .isInstanceOf(Acquisition.Busy.class);
                    assertThat(other.inspect(atLeast.name())
                                    .orElseThrow()
                                    .lease()
                                    .released())
                            .isTrue();
                    assertThat(retrying(survivor, "own"))
                            .as("a grant after its own release")
                            .isInstanceOf(Acquisition.Granted.class);
                    awaitGrant(other, "repeated", TransferReason.RELEASED);
                    awaitGrant(other, "lost", TransferReason.EXPIRED);
                }
            }
        }
    }

    @Test
    void releasesOfAClosedStoreAreDurable() throws Exception {
        try (RestartablePostgres started = RestartablePostgres.start(directory.resolve("data"))) {
            server = started;
            try (LeaseStore store = open()) {
                Grant grant = acquire(store, "closed", LONG);
                server.freezeWalWriter();
                assertThat(store.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
            }
            server.killAndStart();
            try (LeaseStore other = open()) {
                assertThat(acquireExisting(other, "closed")).isInstanceOf(Acquisition.Granted.class);
            }
        }
    }

    private LeaseStore open() {
        return new JdbcStoreProvider().create(url());
    }

    private String url() {
        return "postgresql://postgres@localhost:" + server.port() + "/postgres";
    }

    private static Grant acquire(LeaseStore store, String name, Duration ttl) {
        Acquisition answer = store.acquire(LeaseName.of(name), attempt(), Holder.of("holder"), ttl);
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        return ((Acquisition.Granted) answer).grant();
    }

    private static void release(LeaseStore store, CuttableConnections connections, Grant... grants) {
        connections.allowed = grants.length;
        for (Grant grant : grants) {
            assertThat(store.release(grant, Duration.ZERO)).isInstanceOf(Release.Released.class);
        }
    }

    private static Acquisition acquireExisting(LeaseStore store, String name) {
        return store.acquire(LeaseName.of(name), attempt(), Holder.of("another"), LONG);
    }

    /** Each connection that the crash broke fails once. */
    private static Acquisition retrying(LeaseStore store, String name) throws InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                return acquireExisting(store, name);
            } catch (StoreUnavailableException e) {
                if (tries == 100) {
                    throw e;
                }
                Thread.sleep(50);
            }
        }
    }

    private static void awaitGrant(LeaseStore store, String name, TransferReason reason) throws InterruptedException {
        Acquisition answer = acquireExisting(store, name);
        for (int tries = 0; tries < 300 && answer instanceof Acquisition.Busy; tries++) {
            Thread.sleep(100);
            answer = acquireExisting(store, name);
        }
        assertThat(answer).as(name).isInstanceOf(Acquisition.Granted.class);
        Acquisition.Granted granted = (Acquisition.Granted) answer;
        assertThat(granted.grant().token().value()).isEqualTo(2);
        assertThat(granted.transfer().reason()).as(name).isEqualTo(reason);
    }

    private static AttemptId attempt() {
        return AttemptId.of("attempt-" + UUID.randomUUID());
    }

    /** Simulates the death of a process: it opens no more connections than allowed. */
    private final class CuttableConnections implements Connections {
        private final PooledConnections pool = new PooledConnections(JdbcUrl.parse(url()));
        private volatile int allowed = Integer.MAX_VALUE;

        @Override
        public synchronized Connection take() throws SQLException {
            if (allowed == 0) {
                throw new SQLTransientConnectionException("cut");
            }
            allowed--;
            return pool.take();
        }

        @Override
        public void giveBack(Connection connection) {
            pool.giveBack(connection);
        }

        @Override
        public void discard(Connection connection) {
            pool.discard(connection);
        }

        @Override
        public void close() {
            pool.close();
        }
    }
}
