package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ConnectedRegister;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** For registers in which the writes of callers that come at the same moment share calls: they share nothing else. */
public abstract class SharedWritesContract {
    private static final int CALLERS = 24;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> versions = new ArrayList<>();
    private AnswerGate gate;
    private ConnectedRegister register;
    private ConnectedRegister other;

    /** Of the real server, on this host. */
    protected abstract int serverPort();

    /** The same register at each call of a test, and a new one in the next test. It waits a minute for an answer. */
    protected abstract ConnectedRegister connect(int port);

    /** How many transactions the server has made. */
    protected abstract long transactions() throws IOException;

    @BeforeEach
    void start() throws IOException {
        gate = new AnswerGate(serverPort());
        other = connect(serverPort());
        register = connect(gate.port());
        for (int i = 0; i < CALLERS; i++) {
            assertThat(other.compareAndSet(key(i), CasRegister.ABSENT, "old")).isTrue();
            versions.add(register.read(key(i)).version());
        }
    }

    @AfterEach
    void end() throws IOException {
        threads.shutdownNow();
        register.close();
        other.close();
        gate.close();
    }

    @Test
    void writesAtOnceShareTransactions() throws Exception {
        gate.shut();
        long before = transactions();
        List<Future<Boolean>> writes = writeAll();
        awaitAllWritten();
        gate.open();
        assertThat(results(writes)).containsOnly(true);
        assertThat(transactions() - before).isLessThan(CALLERS);
    }

    @Test
    void aWriteThatIsOutOfDateHarmsNoOther() throws Exception {
        assertThat(other.compareAndSet(key(CALLERS - 1), versions.get(CALLERS - 1), "theirs"))
                .isTrue();
        assertThat(other.remove(key(CALLERS - 2), versions.get(CALLERS - 2))).isTrue();
        gate.shut();
        List<Future<Boolean>> writes = writeAll();
        Thread.sleep(100);
        gate.open();
        List<Boolean> made = results(writes);
        assertThat(made.subList(0, CALLERS - 2)).containsOnly(true);
        assertThat(made.subList(CALLERS - 2, CALLERS)).containsOnly(false);
        assertThat(other.read(key(CALLERS - 1)).value()).contains("theirs");
    }

    @Test
    void ofWritesWithOneVersionOnlyOneIsMade() throws Exception {
        gate.shut();
        List<Future<Boolean>> writes = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            writes.add(threads.submit(write(i % 4, "from " + i)));
        }
        Thread.sleep(100);
        gate.open();
        assertThat(Collections.frequency(results(writes), true)).isEqualTo(4);
    }

    @Test
    void aWriteWhoseAnswerIsLostIsUnknownAndNotSentAgain() throws Exception {
        gate.shut();
        List<Future<Boolean>> writes = writeAll();
        awaitAllWritten();
        gate.cut();
        for (Future<Boolean> each : writes) {
            // It must not be false: the write was made.
            assertThatThrownBy(each::get).hasCauseInstanceOf(StoreUnavailableException.class);
        }
    }

    private List<Future<Boolean>> writeAll() {
        List<Future<Boolean>> writes = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            writes.add(threads.submit(write(i, "new")));
        }
        return writes;
    }

    private Callable<Boolean> write(int caller, String value) {
        return () -> register.compareAndSet(key(caller), versions.get(caller), value);
    }

    private void awaitAllWritten() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (Collections.frequency(
                                new ArrayList<>(
                                        other.values("key-", "", CALLERS).values()),
                                "new")
                        < CALLERS
                && System.nanoTime() < end) {
            Thread.sleep(20);
        }
    }

    private static String key(int caller) {
        return "key-" + (char) ('a' + caller);
    }

    private static List<Boolean> results(List<Future<Boolean>> writes) throws Exception {
        List<Boolean> results = new ArrayList<>();
        for (Future<Boolean> each : writes) {
            results.add(each.get());
        }
        return results;
    }
}
