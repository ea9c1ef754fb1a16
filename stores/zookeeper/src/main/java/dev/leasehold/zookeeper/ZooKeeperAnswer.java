package dev.leasehold.zookeeper;

import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException;

/** The answer to one call, which ZooKeeper's client gives to a callback. */
final class ZooKeeperAnswer<T> extends CompletableFuture<T> {
    void complete(int code, String path, T value) {
        if (code == KeeperException.Code.OK.intValue()) {
            complete(value);
        } else {
            fail(code, path);
        }
    }

    void fail(int code, String path) {
        completeExceptionally(KeeperException.create(KeeperException.Code.get(code), path));
    }
}
