package dev.leasehold.server;

import dev.leasehold.internal.Failure;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Notices clients that hang up while they wait. Jetty does not read from a connection while a
 * request of it is being served, so it would notice only when the answer is written; by then the
 * client has been granted a lease that nobody renews.
 *
 * <p>A client that sends more while it waits (a pipelined request) looks the same and stops waiting
 * too.
 */
final class Departures implements AutoCloseable {
    private final Selector selector;
    private final Thread thread;

    Departures() throws IOException {
        selector = Selector.open();
        thread = new Thread(this::run, "leasehold-server-departures");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** @param leaves called at most once, on the thread of this object */
    void watch(@Nullable SocketChannel channel, Runnable leaves) {
        if (channel == null) {
            return;
        }
        try {
            // A connection keeps its key from one wait to the next.
            SelectionKey key = channel.keyFor(selector);
            if (key == null) {
                channel.register(selector, SelectionKey.OP_READ, leaves);
            } else {
                set(key, SelectionKey.OP_READ, leaves);
            }
            selector.wakeup();
        } catch (ClosedChannelException | CancelledKeyException e) {
            leaves.run();
        }
    }

    void forget(@Nullable SocketChannel channel) {
        SelectionKey key = channel == null ? null : channel.keyFor(selector);
        if (key != null && key.isValid()) {
            try {
                set(key, 0, null);
            } catch (CancelledKeyException e) {
                // The connection was closed.
            }
        }
    }

    /** Both together, so that the thread of this object never sees the one without the other. */
    private static void set(SelectionKey key, int operations, @Nullable Runnable leaves) {
        synchronized (key) {
            key.attach(leaves);
            key.interestOps(operations);
        }
    }

    private static @Nullable Runnable take(SelectionKey key) {
        synchronized (key) {
            key.interestOps(0);
            return (Runnable) key.attach(null);
        }
    }

    /** The connection of a request that is being served. Null if it is not one that can be watched. */
    static @Nullable SocketChannel channel(Request request) {
        Object transport =
                request.getConnectionMetaData().getConnection().getEndPoint().getTransport();
        while (transport instanceof EndPoint inner) {
            transport = inner.getTransport();
        }
        return transport instanceof SocketChannel channel ? channel : null;
    }

    private void run() {
        while (selector.isOpen()) {
            List<Runnable> left = new ArrayList<>();
            try {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    Runnable leaves = key.isValid() ? take(key) : null;
                    if (leaves != null) {
                        left.add(leaves);
                    }
                }
                selector.selectedKeys().clear();
            } catch (CancelledKeyException e) {
                // The connection was closed at this moment, and Jetty notices that itself.
                continue;
            } catch (IOException | ClosedSelectorException e) {
                return;
            }
            left.forEach(Departures::tell);
        }
    }

    /** A failure must not end the thread. */
    @SuppressWarnings("CatchingUnchecked")
    private static void tell(Runnable leaves) {
        try {
            leaves.run();
        } catch (RuntimeException | Error e) {
            Failure.log("a client that left could not be removed; it is until its time is up", e);
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
    }
}
