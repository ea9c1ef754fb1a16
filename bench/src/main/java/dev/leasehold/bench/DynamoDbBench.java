package dev.leasehold.bench;

import com.amazonaws.services.dynamodbv2.AcquireLockOptions;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClient;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClientOptions;
import com.amazonaws.services.dynamodbv2.LockItem;
import dev.leasehold.Stores;
import dev.leasehold.spi.LeaseStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Leasehold in DynamoDB Local against AWS's own lock client, which reads before it writes. */
final class DynamoDbBench {
    private static final String OURS = "Leasehold";
    private static final String AWS = "AWS's DynamoDB lock client";
    private static final String TABLE = "aws-locks";
    private static final Duration TTL = Duration.ofSeconds(90);
    private static final int ROUNDS = 20;
    private static final int WARM_UP_ROUNDS = 20;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private DynamoDbBench() {}

    static void run(Path directory, Targets targets) throws Exception {
        int port = RedisBench.freePort();
        Process server = start(directory, port);
        String endpoint = "http://127.0.0.1:" + port;
        try (DynamoDbClient client = client(endpoint);
                LeaseStore store = Stores.create("dynamodb://leases/bench?endpoint=" + endpoint + "&timeout=20s")) {
            createTable(client);
            try (AmazonDynamoDBLockClient locks =
                    new AmazonDynamoDBLockClient(AmazonDynamoDBLockClientOptions.builder(client, TABLE)
                            .withLeaseDuration(TTL.toSeconds())
                            .withHeartbeatPeriod(TTL.toSeconds() / 3)
                            .withTimeUnit(TimeUnit.SECONDS)
                            .withCreateHeartbeatBackgroundThread(true)
                            .build())) {
                for (int threads : new int[] {1, 8}) {
                    compare(threads, name -> acquireAndRelease(locks, name), store, targets);
                }
            }
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    private static void compare(int threads, AcquireRelease theirs, LeaseStore store, Targets targets)
            throws Exception {
        String work = "DynamoDB, acquire + release, " + threads + (threads == 1 ? " thread" : " threads");
        Measurement outcome = new Comparison(work, 25 * threads, ROUNDS)
                .warmUp(WARM_UP_ROUNDS)
                .addOnThreads(AWS, threads, theirs::onThread)
                .addOnThreads(OURS, threads, AcquireRelease.leasehold(store, TTL)::onThread)
                .run();
        targets.atLeast(work + ": rate against " + AWS, 1, outcome.speed(OURS, AWS));
    }

    private static void acquireAndRelease(AmazonDynamoDBLockClient locks, String name) throws InterruptedException {
        // It keeps released locks, as Leasehold does.
        LockItem lock = locks.acquireLock(AcquireLockOptions.builder(name)
                .withDeleteLockOnRelease(false)
                .withAcquireReleasedLocksConsistently(true)
                .build());
        if (!locks.releaseLock(lock)) {
            throw new IllegalStateException(name + " was lost");
        }
    }

    private static Process start(Path directory, int port) throws IOException, InterruptedException {
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "software.amazon.dynamodb.services.local.main.ServerRunner",
                        "-inMemory",
                        "-sharedDb",
                        "-disableTelemetry",
                        "-port",
                        Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        long began = System.nanoTime();
        while (System.nanoTime() - began < PATIENCE_NANOS && server.isAlive()) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return server;
            } catch (IOException e) {
                Thread.sleep(50);
            }
        }
        server.destroy();
        throw new IOException("DynamoDB Local did not start:\n" + Files.readString(directory.resolve("log")));
    }

    private static DynamoDbClient client(String endpoint) {
        return DynamoDbClient.builder()
                .endpointOverride(URI.create(endpoint))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(
                        AwsBasicCredentials.create("LOCALIDENTITY", "local-credential")))
                .httpClient(UrlConnectionHttpClient.create())
                .build();
    }

    private static void createTable(DynamoDbClient client) {
        client.createTable(table -> table.tableName(TABLE)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .keySchema(KeySchemaElement.builder()
                        .attributeName("key")
                        .keyType(KeyType.HASH)
                        .build())
                .attributeDefinitions(List.of(AttributeDefinition.builder()
                        .attributeName("key")
                        .attributeType(ScalarAttributeType.S)
                        .build())));
    }
}
