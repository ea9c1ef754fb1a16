package dev.leasehold.durableobjects;

import dev.leasehold.testkit.servers.WorkerdServer;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One Worker for all tests that do not damage it. */
final class SharedWorkerd implements BeforeAllCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedWorkerd.class);
    private static WorkerdServer server;

    static String url(String store) {
        return Objects.requireNonNull(server, "the test class is not extended with this")
                .url(store);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // JUnit closes what is in the root's store at the end of all tests.
        server = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(WorkerdServer.class, key -> start(), WorkerdServer.class);
    }

    private static WorkerdServer start() {
        try {
            return WorkerdServer.start();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("no workerd for the tests", e);
        }
    }
}
