package dev.leasehold.nats;

import dev.leasehold.testkit.servers.NatsServer;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One server for all tests that do not damage it, started with the first of them and stopped after
 * the last.
 */
final class SharedNats implements BeforeAllCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedNats.class);
    private static NatsServer server;

    static NatsServer server() {
        return Objects.requireNonNull(server, "the test class is not extended with this");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // JUnit closes what is in the root's store at the end of all tests.
        server = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(NatsServer.class, key -> start(), NatsServer.class);
    }

    private static NatsServer start() {
        try {
            return NatsServer.start();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("no NATS for the tests", e);
        }
    }
}
