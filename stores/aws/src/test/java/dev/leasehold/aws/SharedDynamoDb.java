package dev.leasehold.aws;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One DynamoDB Local for all tests that do not damage it. */
final class SharedDynamoDb implements BeforeAllCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedDynamoDb.class);
    private static JavaServer server;

    /** Starts a server that keeps its tables in its directory, or in memory. */
    static JavaServer startServer(boolean durable) throws IOException, InterruptedException {
        return JavaServer.start((directory, port) -> List.of(
                "software.amazon.dynamodb.services.local.main.ServerRunner",
                durable ? "-dbPath" : "-inMemory",
                durable ? directory.toString() : "-disableTelemetry",
                durable ? "-disableTelemetry" : "-sharedDb",
                "-port",
                Integer.toString(port)));
    }

    static String url(int port, String place) {
        return "dynamodb://" + place + "?endpoint=http://127.0.0.1:" + port + "&timeout=20s";
    }

    static int port() {
        return Objects.requireNonNull(server).port();
    }

    /** @param place table and namespace */
    static String url(String place) {
        return url(
                Objects.requireNonNull(server, "the test class is not extended with this")
                        .port(),
                place);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // JUnit closes what is in the root's store at the end of all tests.
        server = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(JavaServer.class, key -> start(), JavaServer.class);
    }

    private static JavaServer start() {
        try {
            return startServer(false);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("no DynamoDB for the tests", e);
        }
    }
}
