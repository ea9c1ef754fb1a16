package dev.leasehold.jdbc;

import dev.leasehold.testkit.StoreMoveContract;
import dev.leasehold.testkit.environment.Requires;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
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
    }

    @Nested
    class MariaDb extends Moves {
        MariaDb() {
            super(AllDatabases.MARIADB);
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
