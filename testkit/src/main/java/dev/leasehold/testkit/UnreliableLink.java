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
 * Stands between clients and a server on the loopback address, as a network that fails: it refuses, resets, keeps back what is
 * sent, or takes it and lets it go nowhere, in one direction or in both. Safe for use by many threads.
 */
public final class UnreliableLink implements AutoCloseable {
    /** Which way bytes go. */
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
    private long harmed;

    /** Listens on a port of its own. The server need not run yet, and may come and go. */
    public UnreliableLink(int target) throws IOException {
        this.target = target;
        this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::acceptAll);
    }

    /** Where clients connect. */
    public int port() {
        return entrance.getLocalPort();
    }

    /** Ends all connections in the middle of what they do. New ones work. */
    public synchronized void reset() {
        harmed += open.size();
        open.forEach(Connection::cut);
        open.clear();
    }

    /** Ends all connections, and new ones as soon as they are made. */
    public synchronized void refuse() {
        refusing = true;
        reset();
    }

    /** Takes what is sent that way and drops it: nobody is told. */
    public synchronized void swallow(Set<Direction> ways) {
        swallowing.addAll(ways);
    }

    /** Keeps back what clients send, until {@link #letGo}. */
    public synchronized void hold() {
        holding = true;
        heldBytes = false;
    }

    public synchronized void letGo() {
        holding = false;
        notifyAll();
    }

    /** Returns when a message of a client has arrived here and goes no further. */
    public synchronized void awaitHeldBytes() throws InterruptedException {
        long began = System.nanoTime();
        while (!heldBytes && System.nanoTime() - began < PATIENCE_NANOS) {
            wait(100);
        }
        if (!heldBytes) {
            throw new AssertionError("nothing was sent");
        }
    }

    /** Works again. Connections on which something was lost are ended, since the rest would make no sense to anybody. */
    public synchronized void heal() {
        refusing = false;
        swallowing.clear();
        letGo();
        open.removeIf(Connection::cutIfTorn);
    }

    /** How many connections and messages have come to harm here. */
    public synchronized long harmed() {
        return harmed;
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
            harmed++;
            return false;
        }
        open.add(connection);
        return true;
    }

    private synchronized void leave(Connection connection) {
        open.remove(connection);
    }

    /** Whether a message may go on; waits while messages are held. */
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
            harmed++;
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
                // One side hung up; the other is closed with it.
            }
        }

        boolean cutIfTorn() {
            if (torn) {
                cut();
            }
            return torn;
        }

        /** With a reset instead of a farewell. */
        void cut() {
            for (Socket side : List.of(client, server)) {
                try {
                    side.setSoLinger(true, 0);
                    side.close();
                } catch (IOException e) {
                    // It was closed already.
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
