package dev.leasehold.nats;

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
    private static NatsProcess server;

    static NatsProcess server() {
        return Objects.requireNonNull(server, "the test class is not extended with this");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // JUnit closes what is in the root's store at the end of all tests.
        server = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(NatsProcess.class, key -> start(), NatsProcess.class);
    }

    private static NatsProcess start() {
        try {
            return NatsProcess.start();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("no NATS for the tests", e);
        }
    }
}
