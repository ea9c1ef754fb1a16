package dev.leasehold.jdbc;

import dev.leasehold.testkit.environment.InstalledProgram;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Starts every database before the tests of a class. */
final class AllDatabases implements BeforeAllCallback {
    static final PostgresServer POSTGRES = PostgresServer.SHARED;
    static final MariaDbServer MARIADB = MariaDbServer.SHARED;
    static final H2Server H2 = H2Server.SHARED;
    static final SqliteServer SQLITE = SqliteServer.SHARED;
    static final MySqlServer MYSQL = MySqlServer.SHARED;

    /** MySQL where it can be had; {@link MySqlTest} reports where it cannot. */
    static final boolean HAS_MYSQL =
            InstalledProgram.find(InstalledProgram.MYSQL).isPresent();

    static final List<TestServer> ALL = withMySql(POSTGRES, MARIADB, H2, SQLITE);

    static List<TestServer> withMySql(TestServer... others) {
        List<TestServer> all = new ArrayList<>(List.of(others));
        if (HAS_MYSQL) {
            all.add(MYSQL);
        }
        return List.copyOf(all);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        ALL.forEach(server -> server.beforeAll(context));
    }
}
