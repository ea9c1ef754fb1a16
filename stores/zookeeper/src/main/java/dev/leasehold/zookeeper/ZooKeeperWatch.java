package dev.leasehold.zookeeper;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Watch;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;

/** Wakes a waiter when a znode changes. ZooKeeper's watches fire once, so each wake-up sets the next one. */
final class ZooKeeperWatch implements Watch {
    /** For a time in which no watch could be set. */
    private static final Duration POLL = Duration.ofMillis(200);

    private final ZooKeeperSession session;
    private final String path;
    private final Semaphore changed = new Semaphore(0);
    private final Watcher watcher = event -> changed.release();
    private boolean set;

    ZooKeeperWatch(ZooKeeperSession session, String path) {
        this.session = session;
        this.path = path;
        setAgain();
    }

    @Override
    public void await(Duration atMost) throws InterruptedException {
        Duration longest = set || atMost.compareTo(POLL) < 0 ? atMost : POLL;
        if (changed.tryAcquire(longest.toNanos(), TimeUnit.NANOSECONDS) || !set) {
            changed.drainPermits();
            // Before the waiter asks the store: what changes after that fires the new watch.
            setAgain();
        }
    }

    private void setAgain() {
        try {
            set = session.<Boolean>read((client, answer) ->
                    client.exists(path, watcher, (code, p, context, stat) -> answer.complete(isSet(code)), null));
        } catch (KeeperException | StoreUnavailableException e) {
            // The waiter polls until a watch can be set.
            set = false;
        }
    }

    private static boolean isSet(int code) {
        return code == KeeperException.Code.OK.intValue() || code == KeeperException.Code.NONODE.intValue();
    }

    @Override
    public void close() {
        try {
            session.client()
                    .removeWatches(path, watcher, Watcher.WatcherType.Any, true, (code, p, context) -> {}, null);
        } catch (StoreUnavailableException e) {
            // The client was closed, and its watches with it.
        }
    }
}
