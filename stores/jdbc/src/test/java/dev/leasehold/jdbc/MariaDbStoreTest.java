package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.testkit.environment.Requires;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Behaviour specific to MariaDB. */
@Requires("mariadbd")
class MariaDbStoreTest {
    @RegisterExtension
    static final MariaDbServer SERVER = MariaDbServer.SHARED;

    private static final Duration LONG = Duration.ofMinutes(10);

    @Test
    void timeIsTheSameInEveryTimeZone() {
        for (String zone : List.of("+00:00", "+09:00", "-11:00", "SYSTEM")) {
            String url = SERVER.url() + "?sessionVariables=time_zone='" + zone + "'";
            try (LeaseStore store = new JdbcStoreProvider().create(url)) {
                Instant at = store.register().read("zone").at();
                assertThat(Duration.between(at, Instant.now()).abs()).isLessThan(Duration.ofSeconds(30));
            }
        }
    }

    @Test
    void settingThatChangesTheMeaningOfStatementsIsRefused() {
        String url = SERVER.url() + "?sessionVariables=sql_mode='SIMULTANEOUS_ASSIGNMENT'";
        assertThatThrownBy(() -> new JdbcStoreProvider().create(url)).hasMessageContaining("SIMULTANEOUS_ASSIGNMENT");
    }

    /** A client that read a removed value must not overwrite a later value under the same key. */
    @Test
    void versionsAreNotReusedAfterTheServersClockIsSetBack() {
        Set<String> versions = new HashSet<>();
        for (String clock : List.of("2000000000", "1900000000", "1900000000")) {
            String url = SERVER.url() + "?sessionVariables=timestamp=" + clock;
            try (LeaseStore store = new JdbcStoreProvider().create(url)) {
                CasRegister register = store.register();
                assertThat(register.compareAndSet("made-again", CasRegister.ABSENT, "at " + clock))
                        .isTrue();
                String version = register.read("made-again").version();
                assertThat(versions.add(version)).as("version %s", version).isTrue();
                assertThat(register.remove("made-again", version)).isTrue();
            }
        }
    }

    /**
     * One statement that finds each row by the primary key: the number of rows read does not grow
     * with the table.
     */
    @Test
    void renewalOfManyReadsOnlyTheirRows() throws Exception {
        try (LeaseStore store = SERVER.openStore()) {
            String prefix = "bulk-" + UUID.randomUUID() + "/";
            List<RenewRequest> requests = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                Acquisition answer = store.acquire(
                        LeaseName.of(prefix + i), AttemptId.of(UUID.randomUUID().toString()), Holder.of("h"), LONG);
                Grant grant = ((Acquisition.Granted) answer).grant();
                if (i % 30 == 0) {
                    requests.add(new RenewRequest(grant, LONG));
                }
            }
            long before = rowsScanned();
            assertThat(store.renew(requests)).hasSize(10).allMatch(Renewal.Renewed.class::isInstance);
            assertThat(rowsScanned() - before).as("rows read in order").isLessThan(100);
        }
    }

    private static long rowsScanned() throws Exception {
        try (Connection connection = SERVER.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show global status like 'Handler_read_rnd_next'")) {
            row.next();
            return row.getLong(2);
        }
    }
}
