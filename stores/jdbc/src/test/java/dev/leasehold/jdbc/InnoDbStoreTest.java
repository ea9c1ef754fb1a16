package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Behaviour specific to MariaDB and MySQL. */
abstract class InnoDbStoreTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    final InnoDbServer server;

    InnoDbStoreTest(InnoDbServer server) {
        this.server = server;
    }

    @Test
    void timeIsTheSameInEveryTimeZone() {
        for (String zone : List.of("+00:00", "+09:00", "-11:00", "SYSTEM")) {
            String url = server.url("sessionVariables", "time_zone='" + zone + "'");
            try (LeaseStore store = new JdbcStoreProvider().create(url)) {
                Instant at = store.register().read("zone").at();
                assertThat(Duration.between(at, Instant.now()).abs()).isLessThan(Duration.ofSeconds(30));
            }
        }
    }

    /** A client that read a removed value must not overwrite a later value under the same key. */
    @Test
    void versionsAreNotReusedAfterTheServersClockIsSetBack() {
        Set<String> versions = new HashSet<>();
        for (String clock : List.of("2000000000", "1900000000", "1900000000")) {
            String url = server.url("sessionVariables", "timestamp=" + clock);
            try (LeaseStore store = new JdbcStoreProvider().create(url)) {
                CasRegister register = store.register();
                assertThat(register.compareAndSet("made-again", CasRegister.ABSENT, "at " + clock))
                        .isTrue();
                String version = register.read("made-again").version();
                assertThat(versions.add(version)).as("version %s", version).isTrue();
                assertThat(register.remove("made-again", version)).isTrue();
            }
        }
    }

    /**
     * One statement that finds each row by the primary key: the number of rows read does not grow
     * with the table.
     */
    @Test
    void renewalOfManyReadsOnlyTheirRows() throws Exception {
        try (LeaseStore store = server.openStore()) {
            String prefix = "bulk-" + UUID.randomUUID() + "/";
            List<RenewRequest> requests = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                Grant grant = grant(store, prefix + i);
                if (i % 30 == 0) {
                    requests.add(new RenewRequest(grant, LONG));
                }
            }
            long earlier = rowsScanned();
            long before = rowsScanned();
            // The question itself reads rows.
            long ofQuestion = before - earlier;
            assertThat(store.renew(requests)).hasSize(10).allMatch(Renewal.Renewed.class::isInstance);
            assertThat(rowsScanned() - before - ofQuestion)
                    .as("rows read in order")
                    .isLessThan(100);
        }
    }

    private long rowsScanned() throws Exception {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show global status like 'Handler_read_rnd_next'")) {
            row.next();
            return row.getLong(2);
        }
    }

    /**
     * The renewal of two names waits for the lock of the first, and meanwhile the second is forgotten. A row with the token of
     * the renewal would take the name back to tokens that were issued before.
     */
    @Test
    void renewalDoesNotMakeANameThatIsForgottenMeanwhile() throws Exception {
        String prefix = "forgotten-" + UUID.randomUUID() + "/";
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (LeaseStore store = server.openStore();
                LeaseStore other = server.openStore();
                Connection locking = server.dataSource().getConnection();
                Statement lock = locking.createStatement()) {
            Grant held = grant(store, prefix + "a");
            Grant free = grant(store, prefix + "b");
            assertThat(store.release(free, Duration.ZERO)).isInstanceOf(Release.Released.class);
            locking.setAutoCommit(false);
            lock.executeQuery("select 1 from leasehold_lease where name = '" + held.name() + "' for update")
                    .close();
            Future<List<Renewal>> renewing = thread.submit(
                    () -> store.renew(List.of(new RenewRequest(held, LONG), new RenewRequest(free, LONG))));
            assertThatThrownBy(() -> renewing.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            assertThat(other.forget(List.of(new ForgetRequest(free.name(), free.token()))))
                    .containsExactly(Forgetting.FORGOTTEN);
            locking.commit();

            List<Renewal> answers = renewing.get(30, TimeUnit.SECONDS);
            assertThat(answers.get(0)).isInstanceOf(Renewal.Renewed.class);
            assertThat(answers.get(1)).isNotInstanceOf(Renewal.Renewed.class);
            assertThat(store.inspect(free.name())).isEmpty();
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void settingsThatLoseCommitsAreReported() throws Exception {
        try (LeaseStore store = server.openStore()) {
            assertThat(store.warnings()).isEmpty();
        }
        server.asRoot("set global innodb_flush_log_at_trx_commit = 2");
        try (LeaseStore store = server.openStore()) {
            assertThat(store.warnings()).singleElement().asString().contains("innodb_flush_log_at_trx_commit=2");
        } finally {
            server.asRoot("set global innodb_flush_log_at_trx_commit = 1");
        }
    }

    @Test
    void concurrentFirstClientsCreateOneStore() throws Exception {
        String url = server.emptyDatabase();
        assertThatThrownBy(() -> new JdbcStoreProvider().open(url)).isInstanceOf(StoreMissingException.class);
        SchemaTest.assertOneStore(url);
        new JdbcStoreProvider().open(url).close();
    }

    static Grant grant(LeaseStore store, String name) {
        AttemptId attempt = AttemptId.of(UUID.randomUUID().toString());
        return ((Acquisition.Granted) store.acquire(LeaseName.of(name), attempt, Holder.of("h"), LONG)).grant();
    }
}
