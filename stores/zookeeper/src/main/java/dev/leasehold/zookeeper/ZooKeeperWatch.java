package dev.leasehold.zookeeper;

import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Watch;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
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
    private final Watcher watcher = this::fired;

    /** Where this watch is set. ZooKeeper removes it where it fires. */
    private final Set<String> paths = ConcurrentHashMap.newKeySet();

    private boolean set;

    ZooKeeperWatch(ZooKeeperSession session, ZooKeeperReads reads, String key) {
        this.session = session;
        this.reads = reads;
        this.key = key;
        setAgain();
    }

    private void fired(WatchedEvent event) {
        if (event.getPath() != null) {
            paths.remove(event.getPath());
        }
        changed.release();
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
                set = life == null ? setForCreation(reads.path(key)) : setForChanges(reads.path(key, life));
            }
        } catch (KeeperException | StoreUnavailableException | StoreCorruptException e) {
            // The waiter polls until a watch can be set.
        }
    }

    /** False if the key has been created meanwhile. */
    private boolean setForCreation(String path) throws KeeperException {
        paths.add(path);
        try {
            session.<Stat>read((client, answer) ->
                    client.exists(path, watcher, (code, p, context, stat) -> answer.complete(code, p, stat), null));
            return false;
        } catch (KeeperException.NoNodeException e) {
            return true;
        }
    }

    /** False if this life is over. It never comes back, so there must not remain a watch for it, as there would with exists. */
    private boolean setForChanges(String path) throws KeeperException {
        paths.add(path);
        try {
            session.<Stat>read((client, answer) -> client.getData(
                    path, watcher, (code, p, context, data, stat) -> answer.complete(code, p, stat), null));
            return true;
        } catch (KeeperException.NoNodeException e) {
            paths.remove(path);
            reads.isOver(key);
            return false;
        }
    }

    @Override
    public void close() {
        try {
            for (String path : paths) {
                session.client()
                        .removeWatches(path, watcher, Watcher.WatcherType.Any, true, (code, p, context) -> {}, null);
            }
        } catch (StoreUnavailableException e) {
            // The client was closed, and its watches with it.
        }
    }
}
