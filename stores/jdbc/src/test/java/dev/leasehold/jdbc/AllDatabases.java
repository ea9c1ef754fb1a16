package dev.leasehold.jdbc;

import java.util.List;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Starts every database before the tests of a class. */
final class AllDatabases implements BeforeAllCallback {
    static final PostgresServer POSTGRES = PostgresServer.SHARED;
    static final MariaDbServer MARIADB = MariaDbServer.SHARED;
    static final H2Server H2 = H2Server.SHARED;
    static final SqliteServer SQLITE = SqliteServer.SHARED;
    static final List<TestServer> ALL = List.of(POSTGRES, MARIADB, H2, SQLITE);

    @Override
    public void beforeAll(ExtensionContext context) {
        ALL.forEach(server -> server.beforeAll(context));
    }
}
