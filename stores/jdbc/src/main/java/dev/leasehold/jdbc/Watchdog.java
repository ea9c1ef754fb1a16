package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Cuts connections whose server has not answered for too long, so that a server that hangs does not hang its clients. A
 * timeout on each read would cost three system calls instead of one; this costs a look now and then. Safe for use by many threads.
 */
final class Watchdog implements AutoCloseable {
    private static final long LONGEST_LOOK_MILLIS = 1000;

    private final long patienceNanos;

    /** When each one was asked. */
    private final Map<Same, Long> waiting = new ConcurrentHashMap<>();

    /** By identity: connections of some pools are equal to each other, or not even to themselves. */
    private record Same(Connection connection) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Same same && same.connection == connection;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(connection);
        }
    }

    private final Chore looking;

    Watchdog(Duration patience) {
        this.patienceNanos = patience.toNanos();
        long lookMillis = Math.max(10, Math.min(LONGEST_LOOK_MILLIS, patience.toMillis() / 4));
        this.looking = new Chore("leasehold-watchdog", lookMillis, this::look);
    }

    void begin(Connection connection) {
        waiting.put(new Same(connection), System.nanoTime());
        looking.begin();
    }

    void end(Connection connection) {
        waiting.remove(new Same(connection));
    }

    private boolean look() {
        overdue().forEach(Watchdog::cut);
        return !waiting.isEmpty();
    }

    private List<Connection> overdue() {
        List<Connection> found = new ArrayList<>();
        long now = System.nanoTime();
        waiting.forEach((same, since) -> {
            if (now - since > patienceNanos) {
                found.add(same.connection);
            }
        });
        return found;
    }

    /** The thread that waits for the answer gets an exception. */
    private static void cut(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            // A driver that cannot do this works in this process, and waits for nobody.
        }
    }

    @Override
    public void close() {
        looking.close();
    }
}
