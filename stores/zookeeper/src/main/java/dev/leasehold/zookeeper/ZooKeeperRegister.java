package dev.leasehold.zookeeper;

import dev.leasehold.internal.ClusterUrl;
import dev.leasehold.internal.ListedNames;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ClocklessRegister;
import dev.leasehold.spi.ConnectedRegister;
import dev.leasehold.spi.Watch;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * A register in ZooKeeper. A key is a znode that names its present life, a random text; the znode of that name below it
 * has the value. ZooKeeper counts the writes of a znode from zero, so only the life and the count together never come
 * back. A write names the life in its path, so it is one plain versioned write.
 */
final class ZooKeeperRegister implements ClocklessRegister, ConnectedRegister {
    private static final Clock CLOCK = Clock.systemUTC();
    private static final int ANY_VERSION = -1;
    private static final long NO_ROOT = -1;

    private final ZooKeeperSession session;
    private final ClusterUrl address;

    /** Of the znode above all others. */
    private final String root;

    private final List<ACL> permissions;
    private final ZooKeeperReads reads;
    private final ZooKeeperWrites writes;
    private final ListedNames names = new ListedNames(new Names(), System::nanoTime);
    private final SystemIds ids = new SystemIds();

    private ZooKeeperRegister(ClusterUrl address) {
        this.address = address;
        this.root = "/" + address.path();
        this.session = new ZooKeeperSession(address);
        this.permissions = address.user() == null ? ZooDefs.Ids.OPEN_ACL_UNSAFE : ZooDefs.Ids.CREATOR_ALL_ACL;
        this.reads = new ZooKeeperReads(session, root);
        this.writes = new ZooKeeperWrites(session);
    }

    static ZooKeeperRegister connect(String url) {
        return new ZooKeeperRegister(ZooKeeperUrl.parse(url));
    }

    /** Creates the path of the store where it is missing. */
    void createRoot() {
        for (int slash = root.indexOf('/', 1); slash >= 0; slash = root.indexOf('/', slash + 1)) {
            createIfMissing(root.substring(0, slash));
        }
        createIfMissing(root);
    }

    private void createIfMissing(String path) {
        try {
            session.<String>read((client, answer) -> client.create(
                    path,
                    new byte[0],
                    permissions,
                    CreateMode.PERSISTENT,
                    (code, p, context, name) -> answer.complete(code, p, name),
                    null));
        } catch (KeeperException.NodeExistsException e) {
            // As it should be.
        } catch (KeeperException e) {
            throw failed(e);
        }
    }

    @Override
    public Reading read(String key) {
        CasRegister.requireStoredKey(key);
        try {
            Znode znode = reads.one(key);
            return znode == null ? Reading.absent(CLOCK.instant()) : reading(znode);
        } catch (KeeperException e) {
            throw failed(e);
        }
    }

    private static Reading reading(Znode znode) {
        return new Reading(Optional.of(znode.value()), znode.version(), CLOCK.instant());
    }

    @Override
    public Optional<String> replace(String key, String expected, String value) {
        CasRegister.requireStoredKey(key);
        CasRegister.requireValue(value);
        return expected.equals(ABSENT) ? create(key, value) : set(key, expected, value);
    }

    private Optional<String> create(String key, String value) {
        Znode znode = new Znode(ids.unique(), 0, value);
        byte[] life = znode.life().getBytes(StandardCharsets.UTF_8);
        boolean created = change(List.of(
                Op.create(reads.path(key), life, permissions, CreateMode.PERSISTENT),
                Op.create(reads.path(key, znode.life()), znode.bytes(), permissions, CreateMode.PERSISTENT)));
        return created ? Optional.of(znode.version()) : Optional.empty();
    }

    private Optional<String> set(String key, String expected, String value) {
        Znode before = Znode.ofVersion(expected);
        if (before == null) {
            return Optional.empty();
        }
        Znode after = new Znode(before.life(), before.number() + 1, value);
        boolean written = change(() -> writes.set(reads.path(key, after.life()), after.bytes(), before.number()));
        return written ? Optional.of(after.version()) : Optional.empty();
    }

    @Override
    public boolean remove(String key, String expected) {
        CasRegister.requireStoredKey(key);
        Znode before = Znode.ofVersion(expected);
        return before != null
                && change(List.of(
                        Op.delete(reads.path(key, before.life()), before.number()),
                        Op.delete(reads.path(key), ANY_VERSION)));
    }

    private boolean change(List<Op> operations) {
        return change(() -> session.write((client, answer) -> client.multi(
                operations, (code, path, context, results) -> answer.complete(code, path, results), null)));
    }

    /** A call that changes something. */
    private interface Change {
        void send() throws KeeperException;
    }

    /** False if another client was faster, and nothing changed. */
    private boolean change(Change change) {
        try {
            change.send();
            return true;
        } catch (KeeperException.BadVersionException | KeeperException.NodeExistsException e) {
            return false;
        } catch (KeeperException.NoNodeException e) {
            requireRoot();
            return false;
        } catch (KeeperException e) {
            throw failed(e);
        }
    }

    private void requireRoot() {
        try {
            session.<Stat>read((client, answer) ->
                    client.exists(root, false, (code, path, context, stat) -> answer.complete(code, path, stat), null));
        } catch (KeeperException.NoNodeException e) {
            throw new StoreUnavailableException(
                    "the znode " + root + " with the whole store is gone; nothing was written", e);
        } catch (KeeperException e) {
            throw failed(e);
        }
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return names.page(prefix, after, limit);
    }

    /** ZooKeeper lists all znodes at once. */
    private final class Names implements ListedNames.Source {
        @Override
        public Object version() {
            try {
                return reads.version();
            } catch (KeeperException.NoNodeException e) {
                return NO_ROOT;
            } catch (KeeperException e) {
                throw failed(e);
            }
        }

        @Override
        public List<String> names() {
            try {
                return reads.keys();
            } catch (KeeperException.NoNodeException e) {
                return List.of();
            } catch (KeeperException e) {
                throw failed(e);
            }
        }
    }

    @Override
    public Map<String, Reading> readingsOf(List<String> keys) {
        Map<String, Reading> readings = new LinkedHashMap<>();
        all(keys).forEach((key, znode) -> readings.put(key, reading(znode)));
        return readings;
    }

    private Map<String, Znode> all(List<String> keys) {
        try {
            return reads.all(keys);
        } catch (KeeperException e) {
            throw failed(e);
        }
    }

    @Override
    public Optional<Watch> watch(String key) {
        return Optional.of(new ZooKeeperWatch(session, reads, key));
    }

    @Override
    public Optional<String> atomicBecause() {
        return Optional.of("ZooKeeper's leader applies a versioned write in one step, after a majority has stored it");
    }

    private StoreUnavailableException failed(KeeperException e) {
        String hint = e instanceof KeeperException.NoAuthException || e instanceof KeeperException.AuthFailedException
                ? "; the URL needs the user and the password that created the store"
                : "";
        return new StoreUnavailableException(
                "ZooKeeper at " + address + " refused the call: " + e.getMessage() + hint, e);
    }

    @Override
    public void close() {
        session.close();
    }

    /** The place, without credentials. */
    @Override
    public String toString() {
        return address.toString();
    }
}
