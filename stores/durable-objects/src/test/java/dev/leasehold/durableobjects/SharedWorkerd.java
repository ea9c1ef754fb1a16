package dev.leasehold.durableobjects;

import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One Worker for all tests that do not damage it. */
final class SharedWorkerd implements BeforeAllCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedWorkerd.class);
    private static WorkerdProcess server;

    static String url(String store) {
        return "durable-objects://127.0.0.1:"
                + Objects.requireNonNull(server, "the test class is not extended with this")
                        .port()
                + "/" + store + "?timeout=20s";
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // JUnit closes what is in the root's store at the end of all tests.
        server = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(WorkerdProcess.class, key -> start(), WorkerdProcess.class);
    }

    private static WorkerdProcess start() {
        try {
            return WorkerdProcess.start();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("no workerd for the tests", e);
        }
    }
}
