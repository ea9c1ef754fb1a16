package dev.leasehold.zookeeper;

import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Reads keys. Two znodes have to be read for a key, one after the other; the first one never changes while it lives, so
 * what it says is remembered.
 */
final class ZooKeeperReads {
    private static final int MAX_KNOWN = 10_000;

    /** How many znodes one request reads. The answer has up to 50 MB, if all values are as long as they may be. */
    private static final int AT_A_TIME = 500;

    /** A key may be removed and created again between the two reads, but not for ever. */
    private static final int MAX_TRIES = 20;

    private final ZooKeeperSession session;
    private final String root;

    /** The life of each key, which may be over. */
    private final Map<String, String> lives = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MAX_KNOWN;
        }
    };

    ZooKeeperReads(ZooKeeperSession session, String root) {
        this.session = session;
        this.root = root;
    }

    String path(String key) {
        return root + "/" + KeyName.encode(key);
    }

    String path(String key, String life) {
        return path(key) + "/" + life;
    }

    /** Null if the key does not exist. */
    @Nullable
    Znode one(String key) throws KeeperException {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            String life = life(key);
            if (life == null) {
                return null;
            }
            try {
                return session.<Znode>read((client, answer) -> {
                    catchUp(client, path(key), answer);
                    client.getData(path(key, life), false, value(life, answer), null);
                });
            } catch (KeeperException.NoNodeException e) {
                isOver(key);
            }
        }
        throw new StoreUnavailableException("the key " + key + " was created and removed again " + MAX_TRIES
                + " times while it was read; try again");
    }

    /** The life of a key, which may be over when it is used; null if the key does not exist. */
    @Nullable
    String life(String key) throws KeeperException {
        String known = known(key);
        if (known != null) {
            return known;
        }
        try {
            String life = session.<String>read((client, answer) -> {
                catchUp(client, path(key), answer);
                client.getData(path(key), false, life(answer), null);
            });
            remember(key, life);
            return life;
        } catch (KeeperException.NoNodeException e) {
            return null;
        }
    }

    private @Nullable String known(String key) {
        synchronized (lives) {
            return lives.get(key);
        }
    }

    private void remember(String key, String life) {
        synchronized (lives) {
            lives.put(key, life);
        }
    }

    /** The life that was remembered has ended. */
    void isOver(String key) {
        synchronized (lives) {
            lives.remove(key);
        }
    }

    /** The values of these keys, in their order, without those that do not exist. Many are read in one round trip. */
    Map<String, Znode> all(List<String> keys) throws KeeperException {
        Map<String, Znode> found = new LinkedHashMap<>();
        for (int from = 0; from < keys.size(); from += AT_A_TIME) {
            page(keys.subList(from, Math.min(from + AT_A_TIME, keys.size())), found);
        }
        return found;
    }

    private void page(List<String> keys, Map<String, Znode> to) throws KeeperException {
        Map<String, String> lives = lives(keys);
        List<String> alive = List.copyOf(lives.keySet());
        List<OpResult> values = data(alive.stream()
                .map(key -> path(key, lives.getOrDefault(key, "")))
                .toList());
        Map<String, Znode> read = new HashMap<>();
        for (int i = 0; i < alive.size(); i++) {
            if (values.get(i) instanceof OpResult.GetDataResult value) {
                String key = alive.get(i);
                read.put(key, Znode.of(lives.getOrDefault(key, ""), value.getData(), value.getStat()));
            }
        }
        for (String key : keys) {
            // A key that was removed may have been created again since its life was remembered.
            Znode znode = read.containsKey(key) || !lives.containsKey(key) ? read.get(key) : again(key);
            if (znode != null) {
                to.put(key, znode);
            }
        }
    }

    /** A map of its own, because other threads find out meanwhile that lives are over. */
    private Map<String, String> lives(List<String> keys) throws KeeperException {
        Map<String, String> found = new HashMap<>();
        List<String> unknown = new ArrayList<>();
        for (String key : keys) {
            String life = known(key);
            if (life == null) {
                unknown.add(key);
            } else {
                found.put(key, life);
            }
        }
        List<OpResult> begun = data(unknown.stream().map(this::path).toList());
        for (int i = 0; i < unknown.size(); i++) {
            if (begun.get(i) instanceof OpResult.GetDataResult result) {
                String key = unknown.get(i);
                String life = requireLife(path(key), result.getData());
                remember(key, life);
                found.put(key, life);
            }
        }
        return found;
    }

    private @Nullable Znode again(String key) throws KeeperException {
        isOver(key);
        return one(key);
    }

    /** What these znodes hold, in one request and in their order; an error for one that does not exist. */
    private List<OpResult> data(List<String> paths) throws KeeperException {
        if (paths.isEmpty()) {
            return List.of();
        }
        List<Op> operations = paths.stream().map(Op::getData).toList();
        return session.<List<OpResult>>read((client, answer) -> {
            catchUp(client, root, answer);
            client.multi(operations, (code, path, context, results) -> complete(answer, code, results), null);
        });
    }

    /** If there are results, the code is that of the first znode that could not be read. */
    private void complete(ZooKeeperAnswer<List<OpResult>> answer, int code, @Nullable List<OpResult> results) {
        if (results == null) {
            answer.complete(code, root, List.of());
            return;
        }
        for (OpResult result : results) {
            if (result instanceof OpResult.ErrorResult error && !isMissing(error)) {
                answer.fail(error.getErr(), root);
            }
        }
        answer.complete(results);
    }

    private static boolean isMissing(OpResult.ErrorResult error) {
        return error.getErr() == KeeperException.Code.NONODE.intValue();
    }

    /** Changes whenever a znode of a key is created or removed. */
    long version() throws KeeperException {
        return session.<Stat>read((client, answer) -> {
                    catchUp(client, root, answer);
                    client.exists(root, false, (code, path, context, stat) -> answer.complete(code, path, stat), null);
                })
                .getPzxid();
    }

    /** All keys, in any order. */
    List<String> keys() throws KeeperException {
        return session
                .<List<String>>read((client, answer) -> {
                    catchUp(client, root, answer);
                    client.getChildren(
                            root,
                            false,
                            (code, path, context, children) -> answer.complete(code, path, children),
                            null);
                })
                .stream()
                .map(KeyName::decode)
                .toList();
    }

    /**
     * The member that answers catches up with the leader first. Both requests are on the way at the same time; if this one
     * fails, the other may go to a member that lags behind, so its answer does not count.
     */
    private static void catchUp(ZooKeeper client, String path, ZooKeeperAnswer<?> answer) {
        client.sync(
                path,
                (code, p, context) -> {
                    if (code != KeeperException.Code.OK.intValue() && code != KeeperException.Code.NONODE.intValue()) {
                        answer.fail(code, p);
                    }
                },
                null);
    }

    private static DataCallback life(ZooKeeperAnswer<String> answer) {
        return (code, path, context, data, stat) -> {
            try {
                answer.complete(code, path, code == KeeperException.Code.OK.intValue() ? requireLife(path, data) : "");
            } catch (StoreCorruptException e) {
                answer.completeExceptionally(e);
            }
        };
    }

    private static String requireLife(String path, byte @Nullable [] data) {
        String life = Znode.text(data);
        if (!Znode.isLife(life)) {
            throw new StoreCorruptException("the znode " + path + " is none of Leasehold's; nothing was changed");
        }
        return life;
    }

    private static DataCallback value(String life, ZooKeeperAnswer<Znode> answer) {
        return (code, path, context, data, stat) ->
                answer.complete(code, path, stat == null ? new Znode(life, 0, "") : Znode.of(life, data, stat));
    }
}
