package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Stores;
import dev.leasehold.model.StoreMovedException;
import dev.leasehold.testkit.StoreMoveContract;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A store can be moved from every database and to every database. */
@Requires("mariadbd")
@ExtendWith(AllDatabases.class)
class JdbcStoreMoveTest {
    abstract static class Moves extends StoreMoveContract {
        private final TestServer server;
        private String url = "";

        Moves(TestServer server) {
            this.server = server;
        }

        @BeforeEach
        void useAnEmptyDatabase() throws Exception {
            url = server.emptyDatabase();
        }

        @Override
        protected String url() {
            return url;
        }
    }

    @Nested
    class Postgres extends Moves {
        Postgres() {
            super(AllDatabases.POSTGRES);
        }

        /** The order of locks in a client's statement is the database's choice, so deadlocks happen. */
        @Test
        void aDeadlockWithAClientDoesNotEndTheMove() throws Exception {
            Stores.create(url()).close();
            ExecutorService mover = Executors.newSingleThreadExecutor();
            try (Connection client =
                            DriverManager.getConnection("jdbc:" + url().replace("postgres@", "") + "?user=postgres");
                    Statement step = client.createStatement()) {
                client.setAutoCommit(false);
                // The move, and not the client, is told to begin again.
                step.execute("set deadlock_timeout = '1min'");
                step.execute("lock table leasehold_lease in row exclusive mode");
                Future<?> move = mover.submit(
                        () -> Stores.moveAway(url(), "file:/elsewhere").close());
                awaitWaiterFor(step, "leasehold_lease");
                step.execute("lock table leasehold_history in row exclusive mode");
                client.commit();
                move.get(60, TimeUnit.SECONDS);
            } finally {
                mover.shutdownNow();
            }
            assertThatThrownBy(() -> Stores.open(url())).isInstanceOf(StoreMovedException.class);
        }

        private void awaitWaiterFor(Statement statement, String table) throws Exception {
            String query = "select count(*) from pg_locks where not granted and relation = '" + table + "'::regclass";
            for (int i = 0; i < 600; i++) {
                try (ResultSet waiters = statement.executeQuery(query)) {
                    if (waiters.next() && waiters.getInt(1) > 0) {
                        return;
                    }
                }
                TimeUnit.MILLISECONDS.sleep(10);
            }
            throw new IllegalStateException("nobody waits for " + table);
        }
    }

    @Nested
    class MariaDb extends Moves {
        MariaDb() {
            super(AllDatabases.MARIADB);
        }
    }

    @Nested
    @Requires(InstalledProgram.MYSQL)
    class MySql extends Moves {
        MySql() {
            super(AllDatabases.MYSQL);
        }
    }

    @Nested
    class H2 extends Moves {
        H2() {
            super(AllDatabases.H2);
        }
    }

    @Nested
    class Sqlite extends Moves {
        Sqlite() {
            super(AllDatabases.SQLITE);
        }
    }
}
