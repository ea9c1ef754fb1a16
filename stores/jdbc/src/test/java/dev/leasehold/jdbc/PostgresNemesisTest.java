package dev.leasehold.jdbc;

import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.nemesis.ContestedTarget;
import dev.leasehold.testkit.nemesis.NemesisContract;
import dev.leasehold.testkit.nemesis.Site;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.postgresql.ds.PGSimpleDataSource;

/** Real processes on PostgreSQL, with a guarded row in the same database as the fence. */
class PostgresNemesisTest extends NemesisContract {
    /**
     * Shorter than the default, so that a holder that was cut off returns while faults are still
     * injected.
     */
    private static final int ANSWER_SECONDS = 2;

    @Override
    protected Site openSite(Path directory) throws Exception {
        RestartablePostgres server = RestartablePostgres.start(directory.resolve("postgres"));
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
                server.close();
            }
        };
    }

    @Override
    protected ContestedTarget open(String address) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {Integer.parseInt(address)});
        source.setUser("postgres");
        source.setDatabaseName("postgres");
        source.setConnectTimeout(ANSWER_SECONDS);
        source.setSocketTimeout(ANSWER_SECONDS);
        LeaseStore store = new JdbcStoreProvider()
                .create("postgresql://postgres@127.0.0.1:" + address + "/postgres?connectTimeout=" + ANSWER_SECONDS
                        + "&socketTimeout=" + ANSWER_SECONDS);
        return ContestedRow.open(
                store,
                source,
                "text",
                "insert into contested values (1, ?) on conflict (id) do update set content = excluded.content");
    }
}
