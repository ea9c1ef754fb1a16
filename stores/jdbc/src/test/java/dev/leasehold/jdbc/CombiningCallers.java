package dev.leasehold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.TransferReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many callers of one store in PostgreSQL, which ask at the same moment. */
abstract class CombiningCallers {
    @RegisterExtension
    static final PostgresServer SERVER = PostgresServer.SHARED;

    static final Holder HOLDER = Holder.of("holder");
    static final Duration LONG = Duration.ofMinutes(10);
    static final int CALLERS = 48;

    final ExecutorService threads = Executors.newCachedThreadPool();
    final String prefix = "combined/" + UUID.randomUUID() + "/";
    int statements;
    ConnectionGate gate;
    JdbcLeaseStore store;

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

    static AttemptId attempt() {
        return AttemptId.of(UUID.randomUUID().toString());
    }

    LeaseName name(int i) {
        return LeaseName.of(prefix + i);
    }

    Acquisition acquire(LeaseName name) {
        return store.acquire(name, attempt(), HOLDER, LONG);
    }

    static Grant grant(Acquisition answer) {
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        return ((Acquisition.Granted) answer).grant();
    }

    void assertGranted(Acquisition answer, int i, long token, TransferReason reason) {
        Grant grant = grant(answer);
        assertThat(grant.name()).isEqualTo(name(i));
        assertThat(grant.token().value()).isEqualTo(store.floor() + token);
        assertThat(((Acquisition.Granted) answer).transfer().reason()).isEqualTo(reason);
        assertThat(store.inspect(name(i)).orElseThrow().lease().owner().attempt())
                .isEqualTo(grant.attempt());
    }

    <T> List<T> atOnce(IntFunction<T> step) throws Exception {
        int before = gate.connections();
        List<T> answers = new ArrayList<>();
        for (Future<T> each : startAtOnce(step)) {
            answers.add(each.get(60, TimeUnit.SECONDS));
        }
        statements += gate.connections() - before;
        return answers;
    }

    /** All callers ask before the first of them gets an answer. */
    <T> List<Future<T>> startAtOnce(IntFunction<T> step) throws InterruptedException {
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
