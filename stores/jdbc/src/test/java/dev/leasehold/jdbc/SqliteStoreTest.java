package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** Behaviour specific to SQLite. */
class SqliteStoreTest {
    @TempDir
    Path directory;

    @Test
    void aMessageOfTheDriverGetsNoSecondFullStop() {
        assertThat(SqlFailures.unreachable("PostgreSQL", new SQLException("Connection refused. Check the port."))
                        .getMessage())
                .isEqualTo(
                        "PostgreSQL cannot be opened or reached, so nothing was changed: Connection refused. Check the"
                                + " port. Check the store URL, or try again later");
    }

    /**
     * SQLite's clock counts milliseconds, and a database that does not wait for the disk does
     * several steps in one.
     */
    @Test
    void keyRecreatedInTheSameMillisecondGetsAnotherVersion() {
        SQLiteConfig config = new SQLiteConfig();
        config.setSynchronous(SQLiteConfig.SynchronousMode.OFF);
        config.setJournalMode(SQLiteConfig.JournalMode.MEMORY);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + directory.resolve("quick.db"));
        try (LeaseStore store = JdbcLeaseStore.create(source)) {
            CasRegister register = store.register();
            Set<String> versions = new HashSet<>();
            for (int round = 0; round < 300; round++) {
                assertThat(register.compareAndSet("key", CasRegister.ABSENT, "round " + round))
                        .isTrue();
                String version = register.read("key").version();
                assertThat(versions.add(version))
                        .as("version %s of round %d is new", version, round)
                        .isTrue();
                assertThat(register.remove("key", version)).isTrue();
            }
        }
    }
}
