package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
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
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The steps of callers that come at the same moment share statements, and nothing else. */
class PostgresCombiningTest {
    @RegisterExtension
    static final PostgresServer SERVER = PostgresServer.SHARED;

    private static final Holder HOLDER = Holder.of("holder");
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int CALLERS = 48;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final String prefix = "combined/" + UUID.randomUUID() + "/";
    private int statements;
    private ConnectionGate gate;
    private JdbcLeaseStore store;

    @BeforeEach
    void start() {
        gate = new ConnectionGate(SERVER.dataSource());
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
    void aLockedRowHoldsUpNoOtherReleaseOrReport() throws Exception {
        List<Grant> held = atOnce(i -> grant(acquire(name(i))));
        try (Connection connection = SERVER.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select 1 from leasehold_lease where name = '" + name(0) + "' for update");
            List<Future<ProgressReport>> noted =
                    startAtOnce(i -> store.progress(held.get(i), Note.of("note " + i), null));
            for (int i = 1; i < CALLERS; i++) {
                assertThat(noted.get(i).get(60, TimeUnit.SECONDS)).isInstanceOf(ProgressReport.Noted.class);
            }
            List<Future<Release>> released = startAtOnce(i -> store.release(held.get(i), Duration.ZERO));
            for (int i = 1; i < CALLERS; i++) {
                assertThat(released.get(i).get(60, TimeUnit.SECONDS)).isInstanceOf(Release.Released.class);
            }
            assertThat(noted.get(0).isDone()).isFalse();
            assertThat(released.get(0).isDone()).isFalse();
            connection.rollback();
            noted.get(0).get(60, TimeUnit.SECONDS);
            assertThat(released.get(0).get(60, TimeUnit.SECONDS)).isInstanceOf(Release.Released.class);
        }
    }

    @Test
    void batchesOfTwoClientsForTheSameNamesGrantEachNameOnce() throws Exception {
        AtomicInteger[] holders = new AtomicInteger[CALLERS / 2];
        Arrays.setAll(holders, i -> new AtomicInteger());
        AtomicInteger grants = new AtomicInteger();
        try (JdbcLeaseStore other = JdbcLeaseStore.create(SERVER.dataSource())) {
            atOnce(i -> {
                for (int round = 0; round < 20; round++) {
                    JdbcLeaseStore client = i % 2 == 0 ? store : other;
                    int name = (i / 2 + round * (i % 2 == 0 ? 1 : 5)) % holders.length;
                    if (client.acquire(name(name), attempt(), HOLDER, LONG) instanceof Acquisition.Granted granted) {
                        assertThat(holders[name].incrementAndGet())
                                .as("holders of one name")
                                .isEqualTo(1);
                        holders[name].decrementAndGet();
                        assertThat(client.release(granted.grant(), Duration.ZERO))
                                .isInstanceOf(Release.Released.class);
                        grants.incrementAndGet();
                    }
                }
                return i;
            });
        }
        long tokens = 0;
        for (int i = 0; i < holders.length; i++) {
            tokens += store.inspect(name(i)).orElseThrow().lease().token().value() - store.floor();
        }
        assertThat(tokens).as("each grant has a token of its own").isEqualTo(grants.get());
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
            attempts.add(attempt());
        }
        IntFunction<Acquisition> acquire = i -> store.acquire(name(i), attempts.get(i), HOLDER, LONG);
        gate.losesAnswers(true);
        List<Future<Acquisition>> lost = startAtOnce(acquire);
        for (Future<Acquisition> each : lost) {
            assertThatThrownBy(() -> each.get(60, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("unknown whether the operation took effect");
        }
        gate.losesAnswers(false);
        List<Acquisition> again = atOnce(acquire);
        for (int i = 0; i < CALLERS; i++) {
            assertThat(grant(again.get(i)).token().value()).isEqualTo(store.floor() + 1);
            assertThat(grant(again.get(i)).attempt()).isEqualTo(attempts.get(i));
        }
    }

    @Test
    void manyCallersOfOneNameNeedFewStatements() throws Exception {
        for (int round = 1; round <= 2; round++) {
            List<Acquisition> answers = atOnce(i -> acquire(name(0)));
            List<Acquisition> granted = answers.stream()
                    .filter(Acquisition.Granted.class::isInstance)
                    .toList();
            assertThat(granted).hasSize(1);
            assertThat(answers).filteredOn(Acquisition.Busy.class::isInstance).hasSize(CALLERS - 1);
            store.release(grant(granted.get(0)), Duration.ZERO);
        }
        assertThat(statements).as("statements for %d steps", 2 * CALLERS).isLessThan(CALLERS);
    }

    @Test
    void aLockedRowThatManyWantLeavesConnectionsForTheOthers() throws Exception {
        SmallPool pool = new SmallPool(SERVER.dataSource(), 6);
        try (JdbcLeaseStore few = JdbcLeaseStore.create(pool);
                Connection connection = SERVER.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < CALLERS; i++) {
                store.release(grant(acquire(name(i))), Duration.ZERO);
            }
            connection.setAutoCommit(false);
            statement.execute("select 1 from leasehold_lease where name = '" + name(0) + "' for update");
            List<Future<Acquisition>> locked = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                locked.add(threads.submit(() -> few.acquire(name(0), attempt(), HOLDER, LONG)));
            }
            for (int i = 1; i < CALLERS; i++) {
                assertThat(few.acquire(name(i), attempt(), HOLDER, LONG)).isInstanceOf(Acquisition.Granted.class);
            }
            connection.rollback();
            int granted = 0;
            for (Future<Acquisition> each : locked) {
                granted += each.get(60, TimeUnit.SECONDS) instanceof Acquisition.Granted ? 1 : 0;
            }
            assertThat(granted).isEqualTo(1);
        }
        assertThat(pool.areAllReturned()).isTrue();
    }

    @Test
    void aRowThatTheServerRefusesHarmsOnlyItsOwnCaller() throws Exception {
        String function = "refuse_" + UUID.randomUUID().toString().replace('-', '_');
        List<Grant> held = atOnce(i -> grant(acquire(name(i))));
        try (Connection connection = SERVER.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create function " + function + "() returns trigger language plpgsql as $$ begin"
                    + " raise exception 'this row is refused'; end $$");
            statement.execute("create trigger " + function + " before update on leasehold_lease for each row when"
                    + " (old.name = '" + name(0) + "') execute function " + function + "()");
            try {
                List<Future<Release>> released = startAtOnce(i -> store.release(held.get(i), Duration.ZERO));
                assertThatThrownBy(() -> released.get(0).get(60, TimeUnit.SECONDS))
                        .hasMessageContaining("this row is refused");
                for (int i = 1; i < CALLERS; i++) {
                    assertThat(released.get(i).get(60, TimeUnit.SECONDS)).isInstanceOf(Release.Released.class);
                }
            } finally {
                statement.execute("drop function " + function + " cascade");
            }
        }
    }

    @Test
    void interruptsAreTheCallersOwn() throws Exception {
        gate.close();
        List<Thread> callers = new ArrayList<>();
        List<Acquisition> answers = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger interrupted = new AtomicInteger();
        for (int i = 0; i < CALLERS; i++) {
            LeaseName name = name(i);
            Thread caller = new Thread(() -> {
                answers.add(acquire(name));
                if (Thread.interrupted()) {
                    interrupted.incrementAndGet();
                }
            });
            callers.add(caller);
            caller.start();
        }
        for (int i = 0; i < CALLERS; i += 2) {
            callers.get(i).interrupt();
        }
        gate.open();
        for (Thread caller : callers) {
            caller.join(60_000);
        }
        assertThat(answers).hasSize(CALLERS).allMatch(Acquisition.Granted.class::isInstance);
        assertThat(interrupted).hasValue(CALLERS / 2);
    }

    @Test
    void callersThatWaitWhileTheStoreIsClosedGetAnAnswerOrAnError() throws Exception {
        List<Future<Acquisition>> asked;
        try (JdbcLeaseStore closing = JdbcLeaseStore.create(gate)) {
            gate.close();
            asked = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                LeaseName name = name(i);
                asked.add(threads.submit(() -> closing.acquire(name, attempt(), HOLDER, LONG)));
            }
            gate.open();
        }
        for (Future<Acquisition> each : asked) {
            try {
                assertThat(each.get(60, TimeUnit.SECONDS)).isInstanceOf(Acquisition.Granted.class);
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(StoreUnavailableException.class);
            }
        }
    }

    @Test
    void fencesOfManyCallersAreRaisedTogetherAndEachGetsItsOwnAnswer() throws Exception {
        JdbcFence fences = JdbcFence.prepare(gate);
        List<Grant> old = atOnce(i -> grant(acquire(name(i))));
        atOnce(i -> store.release(old.get(i), Duration.ZERO));
        List<Grant> current = atOnce(i -> grant(acquire(name(i))));
        List<Admission> first = atOnce(i -> fences.in(gate, prefix + i).raise(old.get(i)));
        assertThat(first).allMatch(Admission.Admitted.class::isInstance);
        statements = 0;
        List<Admission> raised = atOnce(i -> fences.in(gate, prefix + i).raise(current.get(i)));
        assertThat(raised).allMatch(Admission.Admitted.class::isInstance);
        assertThat(statements).isLessThan(CALLERS);
        List<Admission> mixed =
                atOnce(i -> fences.in(gate, prefix + i).raise(i % 2 == 0 ? old.get(i) : current.get(i)));
        for (int i = 0; i < CALLERS; i++) {
            assertThat(mixed.get(i)).isInstanceOf(i % 2 == 0 ? Admission.Stale.class : Admission.Admitted.class);
            assertThat(fences.in(gate, prefix + i).raise(old.get(i))).isInstanceOf(Admission.Stale.class);
        }
    }

    private static AttemptId attempt() {
        return AttemptId.of(UUID.randomUUID().toString());
    }

    private LeaseName name(int i) {
        return LeaseName.of(prefix + i);
    }

    private Acquisition acquire(LeaseName name) {
        return store.acquire(name, attempt(), HOLDER, LONG);
    }

    private static Grant grant(Acquisition answer) {
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        return ((Acquisition.Granted) answer).grant();
    }

    private void assertGranted(Acquisition answer, int i, long token, TransferReason reason) {
        Grant grant = grant(answer);
        assertThat(grant.name()).isEqualTo(name(i));
        assertThat(grant.token().value()).isEqualTo(store.floor() + token);
        assertThat(((Acquisition.Granted) answer).transfer().reason()).isEqualTo(reason);
        assertThat(store.inspect(name(i)).orElseThrow().lease().owner().attempt())
                .isEqualTo(grant.attempt());
    }

    private <T> List<T> atOnce(IntFunction<T> step) throws Exception {
        int before = gate.connections();
        List<T> answers = new ArrayList<>();
        for (Future<T> each : startAtOnce(step)) {
            answers.add(each.get(60, TimeUnit.SECONDS));
        }
        statements += gate.connections() - before;
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
        ConnectionGate.awaitQueue(waiting, CALLERS);
        gate.open();
        return all;
    }
}
