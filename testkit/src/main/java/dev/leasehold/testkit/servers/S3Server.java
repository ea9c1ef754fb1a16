package dev.leasehold.testkit.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A server of the protocol of S3 that keeps the bucket "leases" in a directory. */
public final class S3Server extends JavaServer {
    /** What its clients need in their environment. */
    public static final Map<String, String> ENVIRONMENT =
            Map.of("AWS_ACCESS_KEY_ID", "LOCALIDENTITY", "AWS_SECRET_ACCESS_KEY", "local-credential");

    private static final String BUCKET = "leases";

    private S3Server(String classPath) throws IOException {
        super("s3", classPath);
    }

    public static S3Server start(String classPath) throws IOException, InterruptedException {
        S3Server server = new S3Server(classPath);
        server.startFirst();
        return server;
    }

    @Override
    List<String> main() throws IOException {
        Path data = directory().resolve("data");
        Files.createDirectories(data.resolve(BUCKET));
        Path settings = directory().resolve("s3proxy.conf");
        Files.write(
                settings,
                List.of(
                        "s3proxy.endpoint=http://127.0.0.1:" + port(),
                        "s3proxy.authorization=aws-v4",
                        "s3proxy.identity=" + ENVIRONMENT.get("AWS_ACCESS_KEY_ID"),
                        "s3proxy.credential=" + ENVIRONMENT.get("AWS_SECRET_ACCESS_KEY"),
                        "jclouds.provider=filesystem-nio2",
                        "jclouds.filesystem.basedir=" + data));
        return List.of("org.gaul.s3proxy.Main", "--properties", settings.toString());
    }

    /** The directory in which the server keeps the objects of the bucket. */
    public Path bucketDirectory() {
        return directory().resolve("data").resolve(BUCKET);
    }

    /** @param prefix of the objects of a store */
    public String url(String prefix) {
        return url(port(), BUCKET + "/" + prefix);
    }

    /** @param place bucket and prefix */
    public static String url(int port, String place) {
        return "s3://" + place + "?endpoint=http://127.0.0.1:" + port + "&timeout=20s";
    }
}
