package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** The fence inside transactions that Spring begins and ends, and the store beside them. */
class SpringTransactionTest {
    @RegisterExtension
    static final PostgresServer SERVER = PostgresServer.SHARED;

    private final DataSource source = SERVER.dataSource();
    private final JdbcTemplate jdbc = new JdbcTemplate(source);
    private final TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(source));
    private final JdbcFence fence = JdbcFence.prepare(source);
    private final String resource = "spring/" + UUID.randomUUID();

    @BeforeEach
    void createTable() {
        jdbc.execute("create table if not exists spring_ledger (id text primary key, written bigint)");
        jdbc.update("insert into spring_ledger values (?, 0)", resource);
    }

    @Test
    void fenceAndRowsCommitTogether() {
        assertThat(write(2)).isInstanceOf(Admission.Admitted.class);
        assertThat(write(1)).isEqualTo(new Admission.Stale(grant(1), FencingToken.of(2)));
        assertThat(written()).isEqualTo(2);
    }

    @Test
    void fenceIsNotAdvancedByATransactionThatIsRolledBack() {
        assertThatThrownBy(() -> transactions.executeWithoutResult(status -> {
                    assertThat(admit(5)).isInstanceOf(Admission.Admitted.class);
                    throw new IllegalStateException("the work failed");
                }))
                .hasMessage("the work failed");
        assertThat(write(4)).isInstanceOf(Admission.Admitted.class);
        assertThat(written()).isEqualTo(4);
    }

    @Test
    void grantTakenInsideATransactionThatIsRolledBackIsNotIssuedTwice() {
        try (JdbcLeaseStore store = JdbcLeaseStore.create(source)) {
            transactions.executeWithoutResult(status -> {
                assertThat(acquire(store)).isEqualTo(1);
                status.setRollbackOnly();
            });
            assertThat(acquire(store)).isEqualTo(2);
        }
    }

    @Test
    void proxyThatJoinsTheCallersTransactionIsRefused() {
        DataSource joining = new TransactionAwareDataSourceProxy(source);
        assertThatThrownBy(() -> JdbcLeaseStore.create(joining))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("TransactionAwareDataSourceProxy")
                .hasMessageContaining("pass the pool itself");
    }

    /** Creating tables would commit the caller's transaction, or be rolled back with it. */
    @Test
    void proxyIsRefusedByTheFenceAndByWorkInsideATransactionToo() {
        DataSource joining = new TransactionAwareDataSourceProxy(source);
        DataSource hidden = new LazyConnectionDataSourceProxy(joining);
        try (JdbcLeaseStore store = JdbcLeaseStore.create(source)) {
            for (DataSource each : List.of(joining, hidden)) {
                transactions.executeWithoutResult(status -> {
                    jdbc.update("update spring_ledger set written = 99 where id = ?", resource);
                    assertProxyIsRefused(() -> JdbcLeaseStore.create(each));
                    assertProxyIsRefused(() -> JdbcFence.prepare(each));
                    assertProxyIsRefused(() -> JdbcFence.on(each, resource));
                    assertProxyIsRefused(() -> JdbcWork.over(store, each));
                    status.setRollbackOnly();
                });
                assertThat(written()).as("value after the rollback").isZero();
            }
        }
    }

    private static void assertProxyIsRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("TransactionAwareDataSourceProxy")
                .hasMessageContaining("pass the pool itself");
    }

    private long acquire(LeaseStore store) {
        Acquisition answer = store.acquire(
                LeaseName.of(resource),
                AttemptId.of(UUID.randomUUID().toString()),
                Holder.of("spring"),
                Duration.ofSeconds(30));
        Grant grant = ((Acquisition.Granted) answer).grant();
        store.release(grant, Duration.ZERO);
        return grant.token().value();
    }

    private Admission write(long token) {
        return Objects.requireNonNull(transactions.execute(status -> {
            Admission answer = admit(token);
            if (answer instanceof Admission.Admitted) {
                jdbc.update("update spring_ledger set written = ? where id = ?", token, resource);
            }
            return answer;
        }));
    }

    private Admission admit(long token) {
        Connection connection = DataSourceUtils.getConnection(source);
        try {
            return fence.admit(connection, grant(token), resource);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            DataSourceUtils.releaseConnection(connection, source);
        }
    }

    private long written() {
        return Objects.requireNonNull(
                jdbc.queryForObject("select written from spring_ledger where id = ?", Long.class, resource));
    }

    private static Grant grant(long token) {
        return FenceTransactionTest.grant(token);
    }
}
