package dev.leasehold.aws;

import dev.leasehold.testkit.servers.DynamoDbServer;
import dev.leasehold.testkit.servers.JavaServer;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One DynamoDB Local for all tests that do not damage it. */
final class SharedDynamoDb implements BeforeAllCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedDynamoDb.class);
    private static DynamoDbServer server;

    private static DynamoDbServer server() {
        return Objects.requireNonNull(server, "the test class is not extended with this");
    }

    static int port() {
        return server().port();
    }

    /** @param place table and namespace */
    static String url(String place) {
        return server().url(place);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // JUnit closes what is in the root's store at the end of all tests.
        server = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(DynamoDbServer.class, key -> start(), DynamoDbServer.class);
    }

    private static DynamoDbServer start() {
        try {
            return DynamoDbServer.start(JavaServer.ownClassPath(), false);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("no DynamoDB for the tests", e);
        }
    }
}
