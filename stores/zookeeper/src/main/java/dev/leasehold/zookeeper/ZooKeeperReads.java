package dev.leasehold.zookeeper;

import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Reads keys. Two znodes have to be read for a key, one after the other; the first one never changes while it lives, so
 * what it says is remembered.
 */
final class ZooKeeperReads {
    private static final int MAX_KNOWN = 10_000;

    /** How many requests are on the way at the same time. */
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

    private void page(List<String> keys, Map<String, Znode> found) throws KeeperException {
        // Of its own, because other threads find out meanwhile that lives are over.
        Map<String, String> asked = new HashMap<>();
        List<String> unknown = new ArrayList<>();
        for (String key : keys) {
            String life = known(key);
            if (life == null) {
                unknown.add(key);
            } else {
                asked.put(key, life);
            }
        }
        this.<String>together(unknown, (client, key, answer) -> client.getData(path(key), false, life(answer), null))
                .forEach((key, life) -> {
                    remember(key, life);
                    asked.put(key, life);
                });
        Map<String, Znode> read = together(List.copyOf(asked.keySet()), (client, key, answer) -> {
            String life = String.valueOf(asked.get(key));
            client.getData(path(key, life), false, value(life, answer), null);
        });
        for (String key : keys) {
            // A key that was removed may have been created again since its life was remembered.
            Znode znode = read.containsKey(key) || !asked.containsKey(key) ? read.get(key) : again(key);
            if (znode != null) {
                found.put(key, znode);
            }
        }
    }

    private @Nullable Znode again(String key) throws KeeperException {
        isOver(key);
        return one(key);
    }

    /** One of several requests that are sent together. */
    private interface Request<T> {
        void send(ZooKeeper client, String key, ZooKeeperAnswer<T> answer);
    }

    /** The answers by key; one about a znode that does not exist is left out. */
    private <T> Map<String, T> together(List<String> keys, Request<T> request) throws KeeperException {
        if (keys.isEmpty()) {
            return Map.of();
        }
        return session.<Map<String, T>>read((client, answer) -> {
            Map<String, T> answers = new LinkedHashMap<>();
            AtomicInteger missing = new AtomicInteger(keys.size());
            catchUp(client, root, answer);
            for (String key : keys) {
                ZooKeeperAnswer<T> one = new ZooKeeperAnswer<>();
                request.send(client, key, one);
                // ZooKeeper's client calls back in one thread.
                CompletableFuture<T> unused = one.whenComplete((value, failure) -> {
                    if (failure == null) {
                        answers.put(key, value);
                    } else if (!(failure instanceof KeeperException.NoNodeException)) {
                        answer.completeExceptionally(failure);
                    }
                    if (missing.decrementAndGet() == 0) {
                        answer.complete(answers);
                    }
                });
            }
        });
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
            String life = Znode.text(data);
            if (code == KeeperException.Code.OK.intValue() && !Znode.isLife(life)) {
                answer.completeExceptionally(new StoreCorruptException(
                        "the znode " + path + " is none of Leasehold's; nothing was changed"));
            } else {
                answer.complete(code, path, life);
            }
        };
    }

    private static DataCallback value(String life, ZooKeeperAnswer<Znode> answer) {
        return (code, path, context, data, stat) ->
                answer.complete(code, path, stat == null ? new Znode(life, 0, "") : Znode.of(life, data, stat));
    }
}
