package dev.leasehold.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections whose server takes too long to answer, so that a hanging server does not hang
 * its clients. Cheaper than a read timeout, which needs three system calls per read instead of one.
 * Safe for use by many threads.
 */
public final class SystemWatchdog<T> implements AutoCloseable {
    private static final long LONGEST_LOOK_MILLIS = 1000;

    private final long patienceNanos;
    private final Consumer<T> cut;

    /** When each connection started to wait for an answer. */
    private final Map<Same<T>, Long> waiting = new ConcurrentHashMap<>();

    /**
     * Compares by identity, because some pools have connections that equal each other, or not even
     * themselves.
     */
    private record Same<T>(T connection) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Same<?> same && same.connection == connection;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(connection);
        }
    }

    private final PeriodicTask looking;

    /**
     * @param cut closes a connection, so that the thread that waits for its answer gets an
     *     exception
     */
    public SystemWatchdog(Duration patience, Consumer<T> cut) {
        this.cut = cut;
        this.patienceNanos = patience.toNanos();
        long lookMillis = Math.max(10, Math.min(LONGEST_LOOK_MILLIS, patience.toMillis() / 4));
        this.looking = new PeriodicTask("leasehold-watchdog", lookMillis, this::look);
    }

    public void begin(T connection) {
        waiting.put(new Same<>(connection), System.nanoTime());
        looking.begin();
    }

    public void end(T connection) {
        waiting.remove(new Same<>(connection));
    }

    private boolean look() {
        overdue().forEach(this::cut);
        return !waiting.isEmpty();
    }

    /** If closing one connection fails, the others are still closed. */
    @SuppressWarnings("CatchingUnchecked")
    private void cut(T connection) {
        try {
            cut.accept(connection);
        } catch (RuntimeException | Error e) {
            Failure.log("a connection that does not answer could not be closed", e);
        }
    }

    private List<T> overdue() {
        List<T> found = new ArrayList<>();
        long now = System.nanoTime();
        waiting.forEach((same, since) -> {
            if (now - since > patienceNanos) {
                found.add(same.connection);
            }
        });
        return found;
    }

    /** Connections that still wait for an answer stay watched. */
    @Override
    public void close() {
        if (waiting.isEmpty()) {
            looking.rest();
        }
    }
}
