package dev.leasehold.zookeeper;

import dev.leasehold.testkit.servers.JavaServer;
import dev.leasehold.testkit.servers.ZooKeeperServer;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One server for all tests that do not damage it, started with the first of them and stopped after
 * the last.
 */
final class SharedZooKeeper implements BeforeAllCallback {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(SharedZooKeeper.class);
    private static ZooKeeperServer server;

    static ZooKeeperServer server() {
        return Objects.requireNonNull(server, "the test class is not extended with this");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // JUnit closes what is in the root's store at the end of all tests.
        server = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(ZooKeeperServer.class, key -> start(), ZooKeeperServer.class);
    }

    private static ZooKeeperServer start() {
        try {
            return ZooKeeperServer.start(JavaServer.ownClassPath(), "");
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("no ZooKeeper for the tests", e);
        }
    }
}
