package dev.leasehold.zookeeper;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.ClocklessRegister;
import dev.leasehold.spi.ConnectedRegister;
import dev.leasehold.spi.Watch;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * A register in ZooKeeper: one znode for each key, and below it an empty one whose random name stands for this life of
 * the key. The version of a value is the life and ZooKeeper's version, which only together never come back.
 */
final class ZooKeeperRegister implements ClocklessRegister, ConnectedRegister {
    private static final Clock CLOCK = Clock.systemUTC();
    private static final int ANY_VERSION = -1;

    private final ZooKeeperSession session;
    private final ZooKeeperAddress address;
    private final List<ACL> permissions;
    private final SystemIds ids = new SystemIds();

    private ZooKeeperRegister(ZooKeeperAddress address) {
        this.address = address;
        this.session = new ZooKeeperSession(address);
        this.permissions = address.credentials() == null ? ZooDefs.Ids.OPEN_ACL_UNSAFE : ZooDefs.Ids.CREATOR_ALL_ACL;
    }

    static ZooKeeperRegister connect(String url) {
        return new ZooKeeperRegister(ZooKeeperAddress.parse(url));
    }

    /** Creates the path of the store where it is missing. */
    void createRoot() {
        for (int slash = address.path().indexOf('/', 1);
                slash >= 0;
                slash = address.path().indexOf('/', slash + 1)) {
            createIfMissing(address.path().substring(0, slash));
        }
        createIfMissing(address.path());
    }

    private void createIfMissing(String path) {
        try {
            session.<String>read((client, answer) -> client.create(
                    path,
                    new byte[0],
                    permissions,
                    CreateMode.PERSISTENT,
                    (code, p, context, name) -> complete(answer, code, p, name),
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
            Znode znode = session.read((client, answer) -> readLatest(client, path(key), answer));
            return new Reading(Optional.of(znode.value()), znode.version(), CLOCK.instant());
        } catch (KeeperException.NoNodeException e) {
            return Reading.absent(CLOCK.instant());
        } catch (KeeperException e) {
            throw failed(e);
        }
    }

    /** The member that answers catches up first. Both requests are on the way at the same time. */
    private void readLatest(ZooKeeper client, String path, CompletableFuture<Znode> answer) {
        client.sync(path, (code, p, context) -> {}, null);
        client.getData(
                path,
                false,
                (code, p, context, data, stat) -> {
                    if (code == KeeperException.Code.OK.intValue()) {
                        complete(answer, p, data, stat);
                    } else {
                        answer.completeExceptionally(failure(code, p));
                    }
                },
                null);
    }

    private static void complete(CompletableFuture<Znode> answer, String path, byte[] data, Stat stat) {
        try {
            answer.complete(Znode.parse(data, stat));
        } catch (IllegalArgumentException e) {
            answer.completeExceptionally(new StoreCorruptException("the znode " + path + " is none of Leasehold's", e));
        }
    }

    private static <T> void complete(CompletableFuture<T> answer, int code, String path, T value) {
        if (code == KeeperException.Code.OK.intValue()) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(failure(code, path));
        }
    }

    private static KeeperException failure(int code, String path) {
        return KeeperException.create(KeeperException.Code.get(code), path);
    }

    @Override
    public Optional<String> replace(String key, String expected, String value) {
        CasRegister.requireStoredKey(key);
        CasRegister.requireValue(value);
        return expected.equals(ABSENT) ? create(key, value) : set(key, expected, value);
    }

    private Optional<String> create(String key, String value) {
        Znode znode = new Znode(ids.unique(), 0, value);
        List<Op> operations = List.of(
                Op.create(path(key), znode.bytes(), permissions, CreateMode.PERSISTENT),
                Op.create(life(key, znode), new byte[0], permissions, CreateMode.PERSISTENT));
        return change(operations).map(results -> znode.version());
    }

    private Optional<String> set(String key, String expected, String value) {
        Znode before = Znode.ofVersion(expected);
        if (before == null) {
            return Optional.empty();
        }
        Znode after = new Znode(before.life(), before.number() + 1, value);
        List<Op> operations = List.of(
                Op.check(life(key, before), ANY_VERSION), Op.setData(path(key), after.bytes(), before.number()));
        return change(operations).map(results -> after.version());
    }

    @Override
    public boolean remove(String key, String expected) {
        CasRegister.requireStoredKey(key);
        Znode before = Znode.ofVersion(expected);
        return before != null
                && change(List.of(
                                Op.check(path(key), before.number()),
                                Op.delete(life(key, before), ANY_VERSION),
                                Op.delete(path(key), before.number())))
                        .isPresent();
    }

    /** Empty if another client was faster, and nothing changed. */
    private Optional<List<OpResult>> change(List<Op> operations) {
        try {
            return Optional.of(session.write((client, answer) -> client.multi(
                    operations, (code, path, context, results) -> complete(answer, code, path, results), null)));
        } catch (KeeperException.BadVersionException | KeeperException.NodeExistsException e) {
            return Optional.empty();
        } catch (KeeperException.NoNodeException e) {
            requireRoot();
            return Optional.empty();
        } catch (KeeperException e) {
            throw failed(e);
        }
    }

    private void requireRoot() {
        try {
            session.<Stat>read((client, answer) -> client.exists(
                    address.path(), false, (code, path, context, stat) -> complete(answer, code, path, stat), null));
        } catch (KeeperException.NoNodeException e) {
            throw new StoreUnavailableException(
                    "the znode " + address.path() + " with the whole store is gone; nothing was written", e);
        } catch (KeeperException e) {
            throw failed(e);
        }
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        TreeSet<String> found = new TreeSet<>();
        try {
            List<String> names = session.read((client, answer) -> {
                client.sync(address.path(), (code, path, context) -> {}, null);
                client.getChildren(
                        address.path(),
                        false,
                        (code, path, context, children) -> complete(answer, code, path, children),
                        null);
            });
            for (String name : names) {
                String key = KeyName.decode(name);
                if (key.startsWith(prefix) && key.compareTo(after) > 0) {
                    found.add(key);
                }
            }
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        } catch (KeeperException e) {
            throw failed(e);
        }
        List<String> page = new ArrayList<>(found);
        return page.subList(0, Math.min(limit, page.size()));
    }

    @Override
    public Optional<Watch> watch(String key) {
        return Optional.of(new ZooKeeperWatch(session, path(key)));
    }

    @Override
    public Optional<String> atomicBecause() {
        return Optional.of("ZooKeeper's leader applies a versioned write in one step, after a majority has stored it");
    }

    private String path(String key) {
        return address.path() + "/" + KeyName.encode(key);
    }

    private String life(String key, Znode znode) {
        return path(key) + "/" + znode.life();
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
