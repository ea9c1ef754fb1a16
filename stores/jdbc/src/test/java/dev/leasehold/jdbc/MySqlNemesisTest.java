package dev.leasehold.jdbc;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import dev.leasehold.testkit.nemesis.ContestedTarget;
import dev.leasehold.testkit.nemesis.NemesisContract;
import dev.leasehold.testkit.nemesis.Site;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.OptionalInt;
import org.mariadb.jdbc.MariaDbDataSource;

/** Real processes on MySQL, with a guarded row in the same database as the fence. */
@Requires(InstalledProgram.MYSQL)
class MySqlNemesisTest extends NemesisContract {
    /** Shorter than the default, so that a holder that was cut off returns while faults are still injected. */
    private static final int ANSWER_MILLIS = 2000;

    @Override
    protected Site openSite(Path directory) throws Exception {
        MySqlServer server = new MySqlServer();
        server.start();
        return new Site() {
            @Override
            public OptionalInt port() {
                return OptionalInt.of(server.port());
            }

            @Override
            public String address(int port) {
                return Integer.toString(port);
            }

            @Override
            public void restart() throws Exception {
                server.killAndStart();
            }

            @Override
            public void close() throws Exception {
                server.stop();
            }
        };
    }

    @Override
    protected ContestedTarget open(String address) throws SQLException {
        String place = "//127.0.0.1:" + address + "/leases?allowPublicKeyRetrieval=true&connectTimeout=" + ANSWER_MILLIS
                + "&socketTimeout=" + ANSWER_MILLIS;
        LeaseStore store = new JdbcStoreProvider()
                .create("mysql:" + place + "&user=worker&password=" + InnoDbServer.PASSWORD.replace("#", "%23"));
        MariaDbDataSource source = new MariaDbDataSource("jdbc:mariadb:" + place);
        source.setUser("worker");
        source.setPassword(InnoDbServer.PASSWORD);
        return ContestedRow.open(store, source, "mediumtext", "replace into contested values (1, ?)");
    }
}
