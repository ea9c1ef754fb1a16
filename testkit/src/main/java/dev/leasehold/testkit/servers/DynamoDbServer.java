package dev.leasehold.testkit.servers;

import java.io.IOException;
import java.util.List;

/** DynamoDB Local. Its clients need the same environment as those of {@link S3Server}. */
public final class DynamoDbServer extends JavaServer {
    private final boolean durable;

    private DynamoDbServer(String classPath, boolean durable) throws IOException {
        super("dynamodb", classPath);
        this.durable = durable;
    }

    /** @param durable whether it keeps its tables in its directory, or in memory */
    public static DynamoDbServer start(String classPath, boolean durable) throws IOException, InterruptedException {
        DynamoDbServer server = new DynamoDbServer(classPath, durable);
        server.startFirst();
        return server;
    }

    @Override
    List<String> main() {
        return List.of(
                "software.amazon.dynamodb.services.local.main.ServerRunner",
                durable ? "-dbPath" : "-inMemory",
                durable ? directory().toString() : "-disableTelemetry",
                durable ? "-disableTelemetry" : "-sharedDb",
                "-port",
                Integer.toString(port()));
    }

    /** @param place table and namespace */
    public String url(String place) {
        return url(port(), place);
    }

    /** @param place table and namespace */
    public static String url(int port, String place) {
        return "dynamodb://" + place + "?endpoint=http://127.0.0.1:" + port + "&timeout=20s";
    }
}
