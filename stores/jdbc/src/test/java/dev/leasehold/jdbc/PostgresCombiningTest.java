package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** The steps of callers that come at the same moment share statements, and nothing else. */
class PostgresCombiningTest {
    @RegisterExtension
    static final PostgresServer SERVER = PostgresServer.SHARED;

    private static final Holder HOLDER = Holder.of("holder");
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int CALLERS = 24;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final String prefix = "combined/" + UUID.randomUUID() + "/";
    private int statements;
    private Gate gate;
    private JdbcLeaseStore store;

    /** Callers queue while it is closed: whoever asks for a connection waits. */
    private static final class Gate extends DelegatingDataSource {
        private final Semaphore open = new Semaphore(Integer.MAX_VALUE / 2);
        private final AtomicInteger connections = new AtomicInteger();
        private volatile boolean losesAnswers;

        Gate() {
            super(SERVER.dataSource());
        }

        void close() {
            open.drainPermits();
        }

        void open() {
            open.release(Integer.MAX_VALUE / 2);
        }

        @Override
        public Connection getConnection() throws SQLException {
            open.acquireUninterruptibly();
            connections.incrementAndGet();
            Connection connection = super.getConnection();
            if (losesAnswers) {
                return AnswerLosing.around(connection);
            }
            return connection;
        }
    }

    @BeforeEach
    void start() {
        gate = new Gate();
        store = JdbcLeaseStore.create(gate);
    }

    @AfterEach
    void end() {
        gate.open();
        threads.shutdownNow();
        store.close();
    }

    @Test
    void manyStepsAtOnceNeedFewStatementsAndEachCallerGetsItsOwnAnswer() throws Exception {
        List<Acquisition> first = atOnce(i -> acquire(name(i)));
        for (int i = 0; i < CALLERS; i++) {
            assertGranted(first.get(i), i, 1, TransferReason.FIRST);
        }
        List<ProgressReport> notes = atOnce(
                i -> store.progress(grant(first.get(i)), Note.of("note " + i), Checkpoint.of("checkpoint " + i)));
        assertThat(notes).allMatch(ProgressReport.Noted.class::isInstance);
        List<Optional<LeaseSnapshot>> read = atOnce(i -> store.inspect(name(i)));
        for (int i = 0; i < CALLERS; i++) {
            assertThat(read.get(i).orElseThrow().lease().progress().note()).isEqualTo(Note.of("note " + i));
        }
        List<Release> released = atOnce(i -> store.release(grant(first.get(i)), Duration.ZERO));
        assertThat(released).allMatch(Release.Released.class::isInstance);
        List<Acquisition> second = atOnce(i -> acquire(name(i)));
        for (int i = 0; i < CALLERS; i++) {
            assertGranted(second.get(i), i, 2, TransferReason.RELEASED);
            assertThat(store.history(name(i), 10).stream().map(Transfer::token))
                    .containsExactly(
                            grant(second.get(i)).token(), grant(first.get(i)).token());
        }
        List<Acquisition> refused = atOnce(i -> acquire(name(i)));
        assertThat(refused).allMatch(Acquisition.Busy.class::isInstance);
        assertThat(statements)
                .as("statements for %d steps in %d rounds", 6 * CALLERS, 6)
                .isLessThan(6 * CALLERS / 2);
    }

    @Test
    void staleTokensAndNewNamesInABatchAreAnsweredAsIfAlone() throws Exception {
        List<Grant> old = atOnce(i -> grant(acquire(name(i))));
        atOnce(i -> store.release(old.get(i), Duration.ZERO));
        atOnce(i -> i % 2 == 0 ? acquire(name(i)) : store.inspect(name(i)));

        List<Release> late = atOnce(i -> store.release(old.get(i), Duration.ZERO));
        List<ProgressReport> reports = atOnce(i -> store.progress(old.get(i), Note.of("late"), null));
        List<Optional<LeaseSnapshot>> read = atOnce(i -> store.inspect(name(i % 2 == 0 ? i : CALLERS + i)));

        for (int i = 0; i < CALLERS; i++) {
            assertThat(late.get(i)).isNotInstanceOf(Release.Released.class);
            assertThat(reports.get(i)).isNotInstanceOf(ProgressReport.Noted.class);
            assertThat(read.get(i).isPresent()).isEqualTo(i % 2 == 0);
            if (i % 2 == 0) {
                assertThat(read.get(i).orElseThrow().lease().released())
                        .as("a stale release changes nothing")
                        .isFalse();
            }
        }
    }

    @Test
    void aRowThatIsLockedHoldsUpOnlyItsOwnCaller() throws Exception {
        List<Grant> held = atOnce(i -> grant(acquire(name(i))));
        atOnce(i -> store.release(held.get(i), Duration.ZERO));
        try (Connection connection = SERVER.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select 1 from leasehold_lease where name = '" + name(0) + "' for update");
            List<Future<Acquisition>> asked = startAtOnce(i -> acquire(name(i)));
            for (int i = 1; i < CALLERS; i++) {
                assertGranted(asked.get(i).get(60, TimeUnit.SECONDS), i, 2, TransferReason.RELEASED);
            }
            assertThat(asked.get(0).isDone()).isFalse();
            connection.rollback();
            assertGranted(asked.get(0).get(60, TimeUnit.SECONDS), 0, 2, TransferReason.RELEASED);
        }
    }

    @Test
    void aDamagedRowHarmsOnlyItsOwnCaller() throws Exception {
        atOnce(i -> acquire(name(i)));
        try (Connection connection = SERVER.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("update leasehold_lease set holder = '' where name = '" + name(0) + "'");
        }
        List<Future<Optional<LeaseSnapshot>>> read = startAtOnce(i -> store.inspect(name(i)));
        assertThatThrownBy(() -> read.get(0).get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(StoreCorruptException.class);
        for (int i = 1; i < CALLERS; i++) {
            assertThat(read.get(i).get(60, TimeUnit.SECONDS)).isPresent();
        }
    }

    @Test
    void aLostAnswerIsUnknownForEachAndTheSameAttemptGetsTheSameGrant() throws Exception {
        List<AttemptId> attempts = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            attempts.add(AttemptId.of(UUID.randomUUID().toString()));
        }
        IntFunction<Acquisition> acquire = i -> store.acquire(name(i), attempts.get(i), HOLDER, LONG);
        gate.losesAnswers = true;
        List<Future<Acquisition>> lost = startAtOnce(acquire);
        for (Future<Acquisition> each : lost) {
            assertThatThrownBy(() -> each.get(60, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("unknown whether the operation took effect");
        }
        gate.losesAnswers = false;
        List<Acquisition> again = atOnce(acquire);
        for (int i = 0; i < CALLERS; i++) {
            assertThat(grant(again.get(i)).token().value()).isEqualTo(1);
            assertThat(grant(again.get(i)).attempt()).isEqualTo(attempts.get(i));
        }
    }

    private LeaseName name(int i) {
        return LeaseName.of(prefix + i);
    }

    private Acquisition acquire(LeaseName name) {
        return store.acquire(name, AttemptId.of(UUID.randomUUID().toString()), HOLDER, LONG);
    }

    private static Grant grant(Acquisition answer) {
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        return ((Acquisition.Granted) answer).grant();
    }

    private void assertGranted(Acquisition answer, int i, long token, TransferReason reason) {
        Grant grant = grant(answer);
        assertThat(grant.name()).isEqualTo(name(i));
        assertThat(grant.token().value()).isEqualTo(token);
        assertThat(((Acquisition.Granted) answer).transfer().reason()).isEqualTo(reason);
        assertThat(store.inspect(name(i)).orElseThrow().lease().owner().attempt())
                .isEqualTo(grant.attempt());
    }

    private <T> List<T> atOnce(IntFunction<T> step) throws Exception {
        int before = gate.connections.get();
        List<T> answers = new ArrayList<>();
        for (Future<T> each : startAtOnce(step)) {
            answers.add(each.get(60, TimeUnit.SECONDS));
        }
        statements += gate.connections.get() - before;
        return answers;
    }

    /** All callers ask before the first of them gets an answer. */
    private <T> List<Future<T>> startAtOnce(IntFunction<T> step) throws InterruptedException {
        gate.close();
        List<Thread> waiting = Collections.synchronizedList(new ArrayList<>());
        List<Future<T>> all = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int caller = i;
            all.add(threads.submit(() -> {
                waiting.add(Thread.currentThread());
                return step.apply(caller);
            }));
        }
        while (waiting.size() < CALLERS
                || waiting.stream().anyMatch(thread -> thread.getState() == Thread.State.RUNNABLE)) {
            Thread.sleep(1);
        }
        gate.open();
        return all;
    }
}
