package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.TransferReason;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** What happens to one of the callers that share a statement happens to no other. */
class PostgresCombiningFailureTest extends CombiningCallers {
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
}
