package dev.leasehold.zookeeper;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Watch;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;

/** Wakes a waiter when a znode changes. ZooKeeper's watches fire once, so each wake-up sets the next one. */
final class ZooKeeperWatch implements Watch {
    /** For a time in which no watch could be set. */
    private static final Duration POLL = Duration.ofMillis(200);

    /** A key may be removed and created again while the watch is set. */
    private static final int MAX_TRIES = 3;

    private final ZooKeeperSession session;
    private final ZooKeeperReads reads;
    private final String key;
    private final Semaphore changed = new Semaphore(0);
    private final Watcher watcher = event -> changed.release();
    private String path;
    private boolean set;

    ZooKeeperWatch(ZooKeeperSession session, ZooKeeperReads reads, String key) {
        this.session = session;
        this.reads = reads;
        this.key = key;
        this.path = reads.path(key);
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
        set = false;
        try {
            for (int tries = 0; tries < MAX_TRIES && !set; tries++) {
                String life = reads.life(key);
                path = life == null ? reads.path(key) : reads.path(key, life);
                boolean exists = setAt(path);
                // A key that does not exist is watched for its creation; a life that is over never comes back.
                set = exists == (life != null);
                if (!exists) {
                    reads.isOver(key);
                }
            }
        } catch (KeeperException | StoreUnavailableException e) {
            // The waiter polls until a watch can be set.
        }
    }

    /** Whether the znode exists. */
    private boolean setAt(String watched) throws KeeperException {
        try {
            session.<Stat>read((client, answer) ->
                    client.exists(watched, watcher, (code, p, context, stat) -> answer.complete(code, p, stat), null));
            return true;
        } catch (KeeperException.NoNodeException e) {
            return false;
        }
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
