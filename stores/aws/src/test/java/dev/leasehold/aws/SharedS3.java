package dev.leasehold.aws;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One server of the protocol of S3 for all tests that do not damage it. */
final class SharedS3 implements BeforeAllCallback {
    static final String BUCKET = "leases";

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedS3.class);
    private static JavaServer server;

    /** Starts a server that keeps the bucket "leases" in a directory. */
    static JavaServer startServer() throws IOException, InterruptedException {
        return JavaServer.start((directory, port) -> {
            Files.createDirectories(directory.resolve("data").resolve(BUCKET));
            Path settings = directory.resolve("s3proxy.conf");
            Files.write(
                    settings,
                    List.of(
                            "s3proxy.endpoint=http://127.0.0.1:" + port,
                            "s3proxy.authorization=aws-v4",
                            "s3proxy.identity=LOCALIDENTITY",
                            "s3proxy.credential=local-credential",
                            "jclouds.provider=filesystem-nio2",
                            "jclouds.filesystem.basedir=" + directory.resolve("data")));
            return List.of("org.gaul.s3proxy.Main", "--properties", settings.toString());
        });
    }

    static String url(int port, String place) {
        return "s3://" + place + "?endpoint=http://127.0.0.1:" + port + "&timeout=20s";
    }

    /** The directory in which the server keeps the objects of the bucket. */
    static Path bucketDirectory() {
        return Objects.requireNonNull(server).directory().resolve("data").resolve(BUCKET);
    }

    /** @param place bucket and prefix */
    static String url(String place) {
        return url(
                Objects.requireNonNull(server, "the test class is not extended with this")
                        .port(),
                place);
    }

    static S3Client client(String place) {
        return S3Client.connect(
                url(place), Map.of("AWS_ACCESS_KEY_ID", "LOCALIDENTITY", "AWS_SECRET_ACCESS_KEY", "local-credential"));
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
            return startServer();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("no S3 for the tests", e);
        }
    }
}
