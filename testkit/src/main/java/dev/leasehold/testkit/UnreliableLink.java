package dev.leasehold.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A proxy between clients and a server on the loopback address that behaves like a failing network:
 * it refuses or resets connections, holds bytes back, or drops them in one direction or in both.
 * Safe for use by many threads.
 */
public final class UnreliableLink implements AutoCloseable {
    /** The direction in which bytes travel. */
    public enum Direction {
        TO_SERVER,
        TO_CLIENT
    }

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final ServerSocket entrance;
    private final int target;
    private final List<Connection> open = new ArrayList<>();
    private final Set<Direction> swallowing = EnumSet.noneOf(Direction.class);
    private boolean refusing;
    private boolean holding;
    private boolean heldBytes;
    private boolean closed;
    private long damaged;

    /** Listens on a free port. The server may start later, and may stop and start again. */
    public UnreliableLink(int target) throws IOException {
        this.target = target;
        this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::acceptAll);
    }

    /** The port to which clients connect. */
    public int port() {
        return entrance.getLocalPort();
    }

    /** Resets all connections. New ones work. */
    public synchronized void reset() {
        damaged += open.size();
        open.forEach(Connection::cut);
        open.clear();
    }

    /** Resets all connections, and new ones immediately after they are made. */
    public synchronized void refuse() {
        refusing = true;
        reset();
    }

    /** Drops bytes that are sent in these directions, without an error. */
    public synchronized void swallow(Set<Direction> ways) {
        swallowing.addAll(ways);
    }

    /** Holds back what clients send, until {@link #letGo}. */
    public synchronized void hold() {
        holding = true;
        heldBytes = false;
    }

    public synchronized void letGo() {
        holding = false;
        notifyAll();
    }

    /** Waits until a message of a client is held back here. */
    public synchronized void awaitHeldBytes() throws InterruptedException {
        long began = System.nanoTime();
        while (!heldBytes && System.nanoTime() - began < PATIENCE_NANOS) {
            wait(100);
        }
        if (!heldBytes) {
            throw new AssertionError("no client sent anything");
        }
    }

    /**
     * Ends all faults. Connections that lost bytes are reset, because the rest of their data is
     * useless.
     */
    public synchronized void heal() {
        refusing = false;
        swallowing.clear();
        letGo();
        open.removeIf(Connection::cutIfTorn);
    }

    /** The number of connections and messages that were damaged here. */
    public synchronized long damaged() {
        return damaged;
    }

    private void acceptAll() {
        try {
            while (true) {
                Connection connection = new Connection(entrance.accept());
                if (admit(connection)) {
                    start(() -> connection.run(target));
                } else {
                    connection.cut();
                }
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private synchronized boolean admit(Connection connection) {
        if (refusing || closed) {
            damaged++;
            return false;
        }
        open.add(connection);
        return true;
    }

    private synchronized void leave(Connection connection) {
        open.remove(connection);
    }

    /** Whether a message passes; waits while messages are held back. */
    private synchronized boolean passes(Connection connection, Direction way) throws InterruptedException {
        if (holding && way == Direction.TO_SERVER) {
            heldBytes = true;
            notifyAll();
            while (holding) {
                wait();
            }
        }
        if (swallowing.contains(way)) {
            connection.torn = true;
            damaged++;
            return false;
        }
        return true;
    }

    private final class Connection {
        private final Socket client;
        private final Socket server = new Socket();
        /** Guarded by the link. */
        private boolean torn;

        Connection(Socket client) {
            this.client = client;
        }

        void run(int port) {
            try {
                server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                start(() -> copy(server, client, Direction.TO_CLIENT));
                copy(client, server, Direction.TO_SERVER);
            } catch (IOException e) {
                // The server is down.
                cut();
            } finally {
                leave(this);
            }
        }

        private void copy(Socket from, Socket to, Direction way) {
            byte[] buffer = new byte[65536];
            try (InputStream in = from.getInputStream();
                    OutputStream out = to.getOutputStream()) {
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    if (passes(this, way)) {
                        out.write(buffer, 0, count);
                    }
                }
            } catch (IOException | InterruptedException e) {
                // One side closed; the other is closed with it.
            }
        }

        boolean cutIfTorn() {
            if (torn) {
                cut();
            }
            return torn;
        }

        /** Closes both sides with a TCP reset. */
        void cut() {
            for (Socket side : List.of(client, server)) {
                try {
                    side.setSoLinger(true, 0);
                    side.close();
                } catch (IOException e) {
                    // Already closed.
                }
            }
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "unreliable-link");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        letGo();
        entrance.close();
        open.forEach(Connection::cut);
        open.clear();
    }
}
