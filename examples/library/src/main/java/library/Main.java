package library;

import dev.leasehold.Leases;
import dev.leasehold.RunOutcome;
import dev.leasehold.jdbc.JdbcFence;
import dev.leasehold.jdbc.JdbcLeaseStore;
import dev.leasehold.model.Admission;
import dev.leasehold.shedlock.LeaseholdLockProvider;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import org.h2.jdbcx.JdbcDataSource;

/** Asks a fence under a lease, and runs a task under a lock of ShedLock, in one database. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:library;DB_CLOSE_DELAY=-1");
        JdbcFence fence = JdbcFence.prepare(database);
        try (Leases leases = Leases.over(JdbcLeaseStore.create(database)).build()) {
            RunOutcome<Admission> outcome = leases.run("daily-invoices", lease -> {
                try (Connection connection = database.getConnection()) {
                    connection.setAutoCommit(false);
                    Admission answer = fence.admit(connection, lease.grant(), "invoices");
                    connection.commit();
                    return answer;
                }
            });
            System.out.println(outcome);
            new DefaultLockingTaskExecutor(new LeaseholdLockProvider(leases))
                    .executeWithLock(
                            (Runnable) () -> System.out.println("the task runs"),
                            new LockConfiguration(
                                    Instant.now(), "daily invoices", Duration.ofMinutes(1), Duration.ZERO));
            leases.store().list("", "", 10).forEach(System.out::println);
        }
    }
}
