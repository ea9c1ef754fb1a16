package dev.leasehold.aws;

import dev.leasehold.testkit.servers.JavaServer;
import dev.leasehold.testkit.servers.S3Server;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One server of the protocol of S3 for all tests that do not damage it. */
final class SharedS3 implements BeforeAllCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedS3.class);
    private static S3Server server;

    private static S3Server server() {
        return Objects.requireNonNull(server, "the test class is not extended with this");
    }

    /** The directory in which the server keeps the objects of the bucket. */
    static Path bucketDirectory() {
        return server().bucketDirectory();
    }

    /** @param place bucket and prefix */
    static String url(String place) {
        return S3Server.url(server().port(), place);
    }

    static S3Client client(String place) {
        return S3Client.connect(url(place), S3Server.ENVIRONMENT);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // JUnit closes what is in the root's store at the end of all tests.
        server = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(S3Server.class, key -> start(), S3Server.class);
    }

    private static S3Server start() {
        try {
            return S3Server.start(JavaServer.ownClassPath());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("no S3 for the tests", e);
        }
    }
}
