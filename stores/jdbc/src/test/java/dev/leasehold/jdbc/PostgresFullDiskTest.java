package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A server with a full disk still answers: names that have a row have it, and new ones find no room at some point. */
@Requires("unshare")
class PostgresFullDiskTest {
    private static final int MANY = 2000;

    @RegisterExtension
    static final PostgresServer PROGRAMS = PostgresServer.SHARED;

    @Test
    void fullDiskIsNamedAndTheStoreWorksAgainWithFreeSpace(@TempDir Path directory) throws Exception {
        try (SmallDiskPostgres server = new SmallDiskPostgres(directory, PROGRAMS);
                LeaseStore store = new JdbcStoreProvider().create(server.url())) {
            acquire(store, 0);
            server.fill();
            int number = 0;
            StoreUnavailableException failure = null;
            while (failure == null && number < MANY) {
                try {
                    acquire(store, ++number);
                } catch (StoreUnavailableException e) {
                    failure = e;
                }
            }
            assertThat(failure)
                    .hasMessageContaining("PostgreSQL has no space left on its disk, so nothing was changed")
                    .hasMessageContaining("Make room on the disk of the database");
            assertThat(store.inspect(name(number))).isEmpty();
            assertThat(store.inspect(name(0))).isPresent();
            server.free();
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
