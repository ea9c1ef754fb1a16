package dev.leasehold.firestore;

import dev.leasehold.testkit.servers.FirestoreServer;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One emulator for all tests that do not damage it. */
final class SharedFirestore implements BeforeAllCallback {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(SharedFirestore.class);
    private static FirestoreServer server;

    static String url(String store) {
        return running().url(store, "20s");
    }

    static int port() {
        return running().port();
    }

    private static FirestoreServer running() {
        return Objects.requireNonNull(server, "the test class is not extended with this");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // JUnit closes what is in the root's store at the end of all tests.
        server = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(FirestoreServer.class, key -> start(), FirestoreServer.class);
    }

    private static FirestoreServer start() {
        try {
            return FirestoreServer.start();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("no emulator for the tests", e);
        }
    }
}
