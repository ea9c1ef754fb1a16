package dev.leasehold.internal.http;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** The connections to the servers of one store, which are used again. Safe for use by many threads. */
public final class ConnectionPool implements AutoCloseable {
    private static final int MOST_IDLE = 256;

    /** A server closes a connection that was idle for longer than this. */
    private static final long TRUSTED_IDLE_NANOS = 500_000_000;

    private static final long MOST_IDLE_NANOS = 20_000_000_000L;

    private final Supplier<SSLSocketFactory> tls;
    private final Map<URI, Deque<HttpConnection>> idle = new HashMap<>();
    private int count;
    private boolean closed;

    /** @param tls asked only if a server needs it, because its classes take long to load */
    public ConnectionPool(Supplier<SSLSocketFactory> tls) {
        this.tls = tls;
    }

    /**
     * Sends a whole request and returns the whole answer.
     *
     * @param end by {@link System#nanoTime}
     * @throws NotSentException if the server has not got the request
     */
    public HttpConnection.Reply call(URI server, byte[] request, long end) throws IOException {
        HttpConnection connection = usableIdle(server);
        if (connection == null) {
            connection = HttpConnection.open(server, tls, end);
        }
        boolean kept = false;
        try {
            HttpConnection.Reply reply = connection.call(request, end);
            kept = connection.isReusable() && keep(server, connection);
            return reply;
        } finally {
            if (!kept) {
                connection.close();
            }
        }
    }

    private @Nullable HttpConnection usableIdle(URI server) {
        for (HttpConnection next = pollIdle(server); next != null; next = pollIdle(server)) {
            long idleFor = next.idleNanos();
            if (idleFor < TRUSTED_IDLE_NANOS || (idleFor < MOST_IDLE_NANOS && next.isQuiet())) {
                return next;
            }
            next.close();
        }
        return null;
    }

    private synchronized @Nullable HttpConnection pollIdle(URI server) {
        Deque<HttpConnection> all = idle.get(server);
        HttpConnection latest = all == null ? null : all.pollFirst();
        count -= latest == null ? 0 : 1;
        return latest;
    }

    /** Returns whether the connection is kept for a later call. The one that was used last is used first. */
    private synchronized boolean keep(URI server, HttpConnection connection) {
        if (closed || count >= MOST_IDLE) {
            return false;
        }
        idle.computeIfAbsent(server, s -> new ArrayDeque<>()).addFirst(connection);
        count++;
        return true;
    }

    /** Closes the idle connections. Calls that are under way end. */
    @Override
    public void close() {
        List<HttpConnection> all = new ArrayList<>();
        synchronized (this) {
            closed = true;
            idle.values().forEach(all::addAll);
            idle.clear();
            count = 0;
        }
        all.forEach(HttpConnection::close);
    }
}
