package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
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

    /** The limit stands for the end of the disk: SQLite has the same answer. */
    @Test
    void fullDatabaseIsNamedAndNothingIsChanged() {
        SQLiteConfig config = new SQLiteConfig();
        config.setMaxPageCount(1);
        SQLiteDataSource full = new SQLiteDataSource(config);
        full.setUrl("jdbc:sqlite:" + directory.resolve("full.db"));
        SQLiteDataSource roomy = new SQLiteDataSource();
        roomy.setUrl(full.getUrl());
        try (LeaseStore store = JdbcLeaseStore.create(roomy);
                LeaseStore limited = JdbcLeaseStore.create(full)) {
            int number = 0;
            StoreUnavailableException failure = null;
            while (failure == null && number < 10_000) {
                try {
                    acquire(limited, ++number);
                } catch (StoreUnavailableException e) {
                    failure = e;
                }
            }
            assertThat(failure)
                    .hasMessageContaining("has no space left on its disk")
                    .hasMessageContaining("nothing was changed")
                    .hasMessageContaining("Make room");
            assertThat(store.inspect(name(number))).isEmpty();
            assertThat(acquire(store, number)).isInstanceOf(Acquisition.Granted.class);
        }
    }

    private static LeaseName name(int number) {
        return LeaseName.of("job-" + number);
    }

    private static Acquisition acquire(LeaseStore store, int number) {
        return store.acquire(
                name(number), AttemptId.of("attempt-" + number), Holder.of("holder"), Duration.ofMinutes(1));
    }
}
