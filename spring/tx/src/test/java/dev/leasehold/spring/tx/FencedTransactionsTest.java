package dev.leasehold.spring.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

/** Transactions of JDBC under a lease: they commit while it is the newest, and never after that. */
class FencedTransactionsTest {
    @RegisterExtension
    static final FencedDatabase DATABASE = FencedDatabase.SHARED;

    private final String name = FencedDatabase.newName();
    private final String account = name;

    @BeforeEach
    void openAccount() {
        DATABASE.openAccount(account);
    }

    @AfterEach
    void nothingLeaks() {
        DATABASE.assertNoConnectionLeaked();
        assertThat(CurrentLease.grant()).isEmpty();
    }

    @Test
    void transactionOfTheNewestLeaseCommits() {
        try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
            for (int i = 0; i < 3; i++) {
                DATABASE.transaction().executeWithoutResult(status -> DATABASE.add(account, 1));
            }
        }
        assertThat(DATABASE.balance(account)).isEqualTo(3);
        assertThat(DATABASE.admissions(name)).as("one raise, three commits").isEqualTo(4);
    }

    @Test
    void transactionThatWasSupersededWhileItRanRollsBack() {
        Grant zombie = DATABASE.next(name);
        Grant[] successor = {null};
        try (LeaseScope scope = LeaseScope.open(zombie)) {
            assertThatThrownBy(() -> DATABASE.transaction().executeWithoutResult(status -> {
                        DATABASE.add(account, 100);
                        successor[0] = DATABASE.onAnotherThread(() -> DATABASE.runAsSuccessor(name));
                    }))
                    .isInstanceOfSatisfying(StaleLeaseException.class, stale -> {
                        assertThat(stale.grant()).isEqualTo(zombie);
                        assertThat(stale.supersededBy()).contains(successor[0].token());
                        assertThat(stale)
                                .hasMessageContaining("rolled back")
                                .hasMessageContaining("token " + zombie.token() + " of " + name + " is stale")
                                .hasMessageContaining("held by machine-");
                    });
        }
        assertThat(DATABASE.balance(account)).isZero();
    }

    @Test
    void supersededLeaseIsRefusedBeforeItsNextTransactionBegins() {
        Grant zombie = DATABASE.next(name);
        DATABASE.runAsSuccessor(name);
        List<String> ran = new ArrayList<>();
        try (LeaseScope scope = LeaseScope.open(zombie)) {
            assertThatThrownBy(() -> DATABASE.transaction().executeWithoutResult(status -> ran.add("it")))
                    .isInstanceOf(StaleLeaseException.class);
        }
        assertThat(ran).isEmpty();
    }

    /** It was taken over in the store, but its successor has written nothing: nothing can be overwritten. */
    @Test
    void lapsedLeaseWhoseSuccessorHasNotBegunStillCommits() {
        Grant lapsed = DATABASE.next(name);
        DATABASE.next(name);
        try (LeaseScope scope = LeaseScope.open(lapsed)) {
            DATABASE.transaction().executeWithoutResult(status -> DATABASE.add(account, 1));
        }
        assertThat(DATABASE.balance(account)).isEqualTo(1);
    }

    @Test
    void transactionInsideASuspendedOneCommitsByItself() {
        try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
            DATABASE.transaction().executeWithoutResult(outer -> {
                DATABASE.add(account, 1);
                DATABASE.transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                        .executeWithoutResult(
                                inner -> DATABASE.jdbc.update("insert into account values (?, 7)", account + "-inner"));
            });
        }
        assertThat(DATABASE.balance(account)).isEqualTo(1);
        assertThat(DATABASE.balance(account + "-inner")).isEqualTo(7);
    }

    @Test
    void suspendedTransactionIsRefusedByItself() {
        try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
            assertThatThrownBy(() -> DATABASE.transaction().executeWithoutResult(outer -> {
                        DATABASE.add(account, 1);
                        DATABASE.transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                                .executeWithoutResult(inner ->
                                        DATABASE.jdbc.update("insert into account values (?, 7)", account + "-inner"));
                        DATABASE.onAnotherThread(() -> DATABASE.runAsSuccessor(name));
                    }))
                    .isInstanceOf(StaleLeaseException.class);
        }
        assertThat(DATABASE.balance(account)).isZero();
        assertThat(DATABASE.balance(account + "-inner")).as("committed in time").isEqualTo(7);
    }

    @Test
    void savepointsBelongToTheTransactionAroundThem() {
        try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
            DATABASE.transaction().executeWithoutResult(outer -> {
                DATABASE.add(account, 1);
                DATABASE.transaction(TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult(nested -> {
                    DATABASE.add(account, 10);
                    nested.setRollbackOnly();
                });
                DATABASE.transaction(TransactionDefinition.PROPAGATION_NESTED)
                        .executeWithoutResult(nested -> DATABASE.add(account, 100));
            });
            assertThat(DATABASE.balance(account)).isEqualTo(101);
            assertThat(DATABASE.admissions(name)).as("one raise, one commit").isEqualTo(2);
            assertThatThrownBy(() -> DATABASE.transaction().executeWithoutResult(outer -> {
                        DATABASE.transaction(TransactionDefinition.PROPAGATION_NESTED)
                                .executeWithoutResult(nested -> DATABASE.add(account, 1));
                        DATABASE.onAnotherThread(() -> DATABASE.runAsSuccessor(name));
                    }))
                    .isInstanceOf(StaleLeaseException.class);
        }
        assertThat(DATABASE.balance(account)).isEqualTo(101);
    }

    @Test
    void transactionThatBeganBeforeTheLeaseIsFencedToo() {
        assertThatThrownBy(() -> DATABASE.transaction().executeWithoutResult(status -> {
                    try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
                        DATABASE.add(account, 1);
                    }
                    DATABASE.onAnotherThread(() -> DATABASE.runAsSuccessor(name));
                }))
                .isInstanceOf(StaleLeaseException.class);
        assertThat(DATABASE.balance(account)).isZero();

        DATABASE.transaction().executeWithoutResult(status -> {
            try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
                DATABASE.add(account, 1);
            }
            assertThat(LeaseScope.enclosing(LeaseName.of(name)))
                    .as("a second call in this transaction works under the same lease")
                    .isPresent();
        });
        assertThat(DATABASE.balance(account)).isEqualTo(1);
    }

    @Test
    void transactionThatOutlivesItsScopeIsFenced() {
        TransactionStatus status;
        try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
            status = DATABASE.manager.getTransaction(TransactionDefinition.withDefaults());
        }
        DATABASE.add(account, 1);
        DATABASE.onAnotherThread(() -> DATABASE.runAsSuccessor(name));
        TransactionStatus outlived = status;
        assertThatThrownBy(() -> DATABASE.manager.commit(outlived)).isInstanceOf(StaleLeaseException.class);
        assertThat(DATABASE.balance(account)).isZero();
    }

    @Test
    void everyLeaseInScopeMustBeTheNewest() {
        String other = FencedDatabase.newName();
        try (LeaseScope outer = LeaseScope.open(DATABASE.next(other));
                LeaseScope inner = LeaseScope.open(DATABASE.next(name))) {
            assertThat(CurrentLease.grant().map(Grant::name)).contains(LeaseName.of(name));
            DATABASE.transaction().executeWithoutResult(status -> DATABASE.add(account, 1));
            assertThat(DATABASE.admissions(other)).isEqualTo(2);
            assertThatThrownBy(() -> DATABASE.transaction().executeWithoutResult(status -> {
                        DATABASE.add(account, 1);
                        DATABASE.onAnotherThread(() -> DATABASE.runAsSuccessor(other));
                    }))
                    .isInstanceOf(StaleLeaseException.class)
                    .hasMessageContaining(other);
        }
        assertThat(DATABASE.balance(account)).isEqualTo(1);
    }

    @Test
    void manyTransactionsOfOneLeaseOnSeveralThreadsDoNotDeadlock() throws Exception {
        LeaseTaskDecorator decorator = new LeaseTaskDecorator();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < 3; thread++) {
                all.add(threads.submit(decorator.decorate(() -> {
                    for (int i = 0; i < 40; i++) {
                        DATABASE.transaction().executeWithoutResult(status -> DATABASE.add(account, 1));
                    }
                })));
            }
            for (Future<?> each : all) {
                each.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(DATABASE.balance(account)).isEqualTo(120);
        assertThat(DATABASE.admissions(name))
                .as("the decorated tasks were fenced")
                .isGreaterThanOrEqualTo(121);
    }

    @Test
    void stepIsTakenInTheTransactionAndFollowsIt() {
        List<String> events = new ArrayList<>();
        TransactionStep step = new TransactionStep() {
            @Override
            public boolean accepts(javax.sql.DataSource source) {
                return source == DATABASE.pool;
            }

            @Override
            public void take(java.sql.Connection connection) throws SQLException {
                try (java.sql.Statement statement = connection.createStatement()) {
                    statement.execute("update account set balance = balance + 1000 where id = '" + account + "'");
                }
            }

            @Override
            public void ended(boolean committed) {
                events.add(committed ? "committed" : "rolled back");
            }
        };
        try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
            scope.lastStepOfTransaction(step, false);
            DATABASE.transaction().executeWithoutResult(TransactionStatus::setRollbackOnly);
            scope.lastStepOfTransaction(step, false);
            DATABASE.transaction().executeWithoutResult(status -> DATABASE.add(account, 1));
            DATABASE.transaction().executeWithoutResult(status -> DATABASE.add(account, 1));
        }
        assertThat(events).containsExactly("rolled back", "committed");
        assertThat(DATABASE.balance(account)).isEqualTo(1002);
    }

    @Test
    void assertionNamesWhatIsMissing() {
        assertThatThrownBy(LeaseAssert::assertLeased).hasMessageContaining("through Spring");
        assertThatThrownBy(CurrentLease::get).hasMessageContaining("works under no lease");
        try (LeaseScope scope = LeaseScope.open(DATABASE.next(name))) {
            LeaseAssert.assertLeased();
            LeaseAssert.assertLeased(name);
            assertThatThrownBy(() -> LeaseAssert.assertLeased("another")).hasMessageContaining("under lease another");
        }
    }
}
