package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.Requires;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A statement that makes a new name has read the floor. Until it has ended, the floor must not rise: the name could be
 * granted and forgotten in between, and the statement would issue its token again.
 */
@Requires("mariadbd")
@ExtendWith(AllDatabases.class)
class FloorLockTest {
    private static final Duration TTL = Duration.ofMinutes(1);
    private static final Holder HOLDER = Holder.of("test");
    private static final Note REASON = Note.of("test");

    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    static List<TestServer> servers() {
        return AllDatabases.ALL;
    }

    /** A writer of SQLite locks the whole file, and another one does not wait for long. */
    static List<TestServer> serversWithRowLocks() {
        return AllDatabases.withMySql(AllDatabases.POSTGRES, AllDatabases.MARIADB, AllDatabases.H2);
    }

    @AfterEach
    void stop() {
        thread.shutdownNow();
    }

    @ParameterizedTest
    @MethodSource("serversWithRowLocks")
    void theFloorDoesNotRiseWhileANameIsMade(TestServer server) throws Exception {
        try (LeaseStore store = server.openStore();
                Connection making = server.dataSource().getConnection()) {
            Grant high = lifted(store, store.floor() + 10);
            making.setAutoCommit(false);
            long token = make(making, name());
            assertThat(token).isEqualTo(store.floor() + 1);

            Future<List<Forgetting>> forgetting = thread.submit(() -> forget(store, high));
            assertThatThrownBy(() -> forgetting.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            making.commit();
            assertThat(forgetting.get(60, TimeUnit.SECONDS)).containsExactly(Forgetting.FORGOTTEN);
            assertThat(store.floor()).isEqualTo(high.token().value());
            making.setAutoCommit(true);
        }
    }

    /** The store was made by a version that had no floor. */
    @ParameterizedTest
    @MethodSource("servers")
    void aStoreWithoutAFloorGetsOne(TestServer server) throws Exception {
        String url = server.emptyDatabase();
        try (LeaseStore store = new JdbcStoreProvider().create(url)) {
            Grant first = granted(store.acquire(name(), attempt(), HOLDER, TTL));
            assertThat(first.token().value()).isEqualTo(1);
            assertThat(store.floor()).isZero();
            assertThat(store.list("", "", 10)).hasSize(1);
            assertThat(store.names("", "", 10)).hasSize(1);
            store.release(first, Duration.ZERO);
            assertThat(forget(store, first)).containsExactly(Forgetting.FORGOTTEN);
            assertThat(store.list("", "", 10)).isEmpty();
            assertThat(granted(store.acquire(first.name(), attempt(), HOLDER, TTL))
                            .token()
                            .value())
                    .isEqualTo(2);
        }
    }

    /** Makes a name in the caller's transaction, by the statement of the store. */
    private static long make(Connection connection, LeaseName name) throws SQLException {
        Dialect dialect = Dialects.of(connection.getMetaData());
        if (dialect.locksFloorFirst()) {
            try (Statement lock = connection.createStatement()) {
                lock.execute("select token from leasehold_lease where name = ''" + dialect.lockingRead());
            }
        }
        OwnershipRequest claim = OwnershipRequest.ordinary(name, attempt(), HOLDER, TTL);
        LeaseStatements statements = new LeaseStatements(dialect, TableNames.LIVE);
        if (statements.taken.isPresent()) {
            Database.changes(connection, statements.acquire, claim.params());
        }
        NamedSql answer = statements.taken.orElse(statements.acquire);
        return Database.rows(connection, answer, claim.params(), row -> row.getLong(1))
                .get(0);
    }

    private static Grant lifted(LeaseStore store, long above) {
        return granted(store.intervene(Intervention.repair(name(), attempt(), HOLDER, above, REASON)));
    }

    private static List<Forgetting> forget(LeaseStore store, Grant grant) {
        return store.forget(List.of(new ForgetRequest(grant.name(), grant.token())));
    }

    private static Grant granted(Acquisition answer) {
        return ((Acquisition.Granted) answer).grant();
    }

    private static LeaseName name() {
        return LeaseName.of("floor/" + UUID.randomUUID());
    }

    private static AttemptId attempt() {
        return AttemptId.of(UUID.randomUUID().toString());
    }
}
