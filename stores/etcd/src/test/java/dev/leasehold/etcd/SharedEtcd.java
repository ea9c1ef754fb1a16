package dev.leasehold.etcd;

import dev.leasehold.testkit.servers.EtcdServer;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One server for all tests that do not damage it, started with the first of them and stopped after
 * the last.
 */
final class SharedEtcd implements BeforeAllCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedEtcd.class);
    private static EtcdServer server;

    static EtcdServer server() {
        return Objects.requireNonNull(server, "the test class is not extended with this");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // JUnit closes what is in the root's store at the end of all tests.
        server = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(EtcdServer.class, key -> start(), EtcdServer.class);
    }

    private static EtcdServer start() {
        try {
            return EtcdServer.start();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("no etcd for the tests", e);
        }
    }
}
