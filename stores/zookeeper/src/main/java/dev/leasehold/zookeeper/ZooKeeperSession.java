package dev.leasehold.zookeeper;

import dev.leasehold.internal.ClusterUrl;
import dev.leasehold.model.StoreUnavailableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * The connection to an ensemble. ZooKeeper's client reconnects by itself within a session; if the session has expired,
 * the next call starts another one. Nothing depends on sessions.
 */
final class ZooKeeperSession implements AutoCloseable {
    private static final int SESSION_MILLIS = 10_000;
    private static final int CLOSE_MILLIS = 1_000;
    private static final long PAUSE_MILLIS = 50;

    /** A list of names is one answer, and the client refuses answers of more than a megabyte unless told otherwise. */
    private static final String MAX_ANSWER_BYTES = Integer.toString(64 * 1024 * 1024);

    private final ClusterUrl address;
    private @Nullable ZooKeeper current;
    private volatile boolean connected;
    private boolean closed;

    ZooKeeperSession(ClusterUrl address) {
        this.address = address;
    }

    /** A call whose result arrives later: code, path and the rest are for the callback. */
    interface Call<T> extends BiConsumer<ZooKeeper, ZooKeeperAnswer<T>> {}

    /** A call that changes nothing is repeated until the time is over. */
    <T> T read(Call<T> call) throws KeeperException {
        long end = System.nanoTime() + address.timeout().toNanos();
        while (true) {
            try {
                return await(call, end);
            } catch (KeeperException.ConnectionLossException | KeeperException.SessionExpiredException e) {
                if (System.nanoTime() - end > 0) {
                    throw unknown(e);
                }
                pause();
            }
        }
    }

    /**
     * A call that may change something is sent once.
     *
     * @throws StoreUnavailableException if it is unknown whether it did
     */
    <T> T write(Call<T> call) throws KeeperException {
        try {
            return await(call, System.nanoTime() + address.timeout().toNanos());
        } catch (KeeperException.ConnectionLossException | KeeperException.SessionExpiredException e) {
            throw unknown(e);
        }
    }

    /** Waits through interrupts: a thread that is told to stop must still be able to give its lease back. */
    private <T> T await(Call<T> call, long end) throws KeeperException {
        ZooKeeperAnswer<T> answer = new ZooKeeperAnswer<>();
        call.accept(client(), answer);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException e) {
            throw new StoreUnavailableException("ZooKeeper at " + address + " " + failure("did not answer in time"), e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KeeperException failure) {
                throw failure;
            }
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("a call to ZooKeeper failed", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private StoreUnavailableException unknown(KeeperException e) {
        return new StoreUnavailableException(
                "ZooKeeper at " + address + " " + failure("broke off the connection; it is unknown what took effect"),
                e);
    }

    /** ZooKeeper's client does not tell why it cannot connect. */
    private String failure(String otherwise) {
        if (connected) {
            return otherwise;
        }
        String unknown = address.unknownHosts();
        String why = unknown == null ? ZooKeeperTls.explain(address) : unknown;
        return why == null ? otherwise : why;
    }

    synchronized ZooKeeper client() {
        if (closed) {
            throw new StoreUnavailableException("the store in ZooKeeper at " + address + " was closed");
        }
        ZooKeeper client = current;
        if (client == null || !client.getState().isAlive()) {
            client = connect();
            current = client;
        }
        return client;
    }

    private void changed(WatchedEvent event) {
        if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
            connected = true;
        }
    }

    private ZooKeeper connect() {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty("jute.maxbuffer", MAX_ANSWER_BYTES);
        ZooKeeperTls.configure(config, address);
        try {
            ZooKeeper client = new ZooKeeper(String.join(",", address.hosts()), SESSION_MILLIS, this::changed, config);
            if (address.user() != null) {
                String credentials = address.user() + ":" + address.password();
                client.addAuthInfo("digest", credentials.getBytes(StandardCharsets.UTF_8));
            }
            return client;
        } catch (IOException e) {
            throw new StoreUnavailableException("ZooKeeper at " + address + " cannot be reached: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        ZooKeeper client;
        synchronized (this) {
            closed = true;
            client = current;
        }
        try {
            if (client != null) {
                client.close(CLOSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
