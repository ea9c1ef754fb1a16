package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Callers queue while it is closed: whoever asks for a connection waits. */
final class ConnectionGate extends DelegatingDataSource {
    private final Semaphore open = new Semaphore(Integer.MAX_VALUE / 2);
    private final AtomicInteger connections = new AtomicInteger();
    private volatile boolean losesAnswers;

    ConnectionGate(DataSource source) {
        super(source);
    }

    void close() {
        open.drainPermits();
    }

    void open() {
        open.release(Integer.MAX_VALUE / 2);
    }

    /**
     * Waits until this many callers wait. On a busy machine a thread may also wait for something else on
     * its way, so one look proves nothing.
     */
    static void awaitQueue(List<Thread> callers, int count) throws InterruptedException {
        for (int looks = 0; looks < 20; looks = callers.size() == count && allWait(callers) ? looks + 1 : 0) {
            Thread.sleep(2);
        }
    }

    private static boolean allWait(List<Thread> threads) {
        return threads.stream()
                .map(Thread::getState)
                .allMatch(state -> state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING);
    }

    /** How many connections were taken so far. */
    int connections() {
        return connections.get();
    }

    void losesAnswers(boolean lost) {
        losesAnswers = lost;
    }

    @Override
    public Connection getConnection() throws SQLException {
        open.acquireUninterruptibly();
        connections.incrementAndGet();
        Connection connection = super.getConnection();
        return losesAnswers ? AnswerLosing.around(connection) : connection;
    }
}
