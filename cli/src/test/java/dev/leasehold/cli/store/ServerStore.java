package dev.leasehold.cli.store;

import dev.leasehold.testkit.servers.DynamoDbServer;
import dev.leasehold.testkit.servers.EtcdServer;
import dev.leasehold.testkit.servers.FirestoreServer;
import dev.leasehold.testkit.servers.InnoDbProcess;
import dev.leasehold.testkit.servers.JavaServer;
import dev.leasehold.testkit.servers.LoopbackPort;
import dev.leasehold.testkit.servers.NatsServer;
import dev.leasehold.testkit.servers.S3Server;
import dev.leasehold.testkit.servers.WorkerdServer;
import dev.leasehold.testkit.servers.ZooKeeperServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import redis.embedded.RedisServer;

/**
 * A real server on loopback as the store of the commands, from the first use to the end of the
 * tests.
 */
public final class ServerStore implements BeforeAllCallback {
    private static final String AWS = "stores/aws";
    private static final String DATABASE = "create database leases;\n";

    /** Durable as in production; the starter would turn both off. */
    public static final ServerStore POSTGRESQL = new ServerStore(() -> {
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
        return new Running("postgresql://postgres@localhost:" + server.getPort() + "/postgres", server);
    });

    static final ServerStore REDIS = new ServerStore(() -> {
        int port = LoopbackPort.free();
        RedisServer server = RedisServer.newRedisServer()
                .port(port)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .build();
        server.start();
        return new Running("redis://localhost:" + port + "/0", server::stop);
    });

    /** Needs the program etcd. */
    static final ServerStore ETCD = new ServerStore(() -> {
        EtcdServer server = EtcdServer.start();
        return new Running(server.url(), server);
    });

    /** Needs the program nats-server. */
    static final ServerStore NATS = new ServerStore(() -> {
        NatsServer server = NatsServer.start();
        return new Running(server.url(), server);
    });

    static final ServerStore ZOOKEEPER = new ServerStore(() -> {
        ZooKeeperServer server = ZooKeeperServer.start(JavaServer.classPathOf("stores/zookeeper"), "");
        return new Running(server.url(), server);
    });

    /** Needs the program mariadbd. */
    static final ServerStore MARIADB = new ServerStore(() -> innoDb("mariadb", InnoDbProcess.mariaDb(DATABASE)));

    /** Needs MySQL. */
    static final ServerStore MYSQL = new ServerStore(() -> innoDb("mysql", InnoDbProcess.mySql(DATABASE)));

    static final ServerStore S3 = new ServerStore(S3Server.ENVIRONMENT, () -> {
        S3Server server = S3Server.start(JavaServer.classPathOf(AWS));
        return new Running(server.url("store"), server);
    });

    static final ServerStore DYNAMODB = new ServerStore(S3Server.ENVIRONMENT, () -> {
        DynamoDbServer server = DynamoDbServer.start(JavaServer.classPathOf(AWS), false);
        return new Running(server.url("leases"), server);
    });

    /** Needs workerd. */
    static final ServerStore DURABLE_OBJECTS = new ServerStore(WorkerdServer.ENVIRONMENT, () -> {
        WorkerdServer server = WorkerdServer.start();
        return new Running(server.url("leases"), server);
    });

    /** Needs Google's emulator. */
    static final ServerStore FIRESTORE = new ServerStore(() -> {
        FirestoreServer server = FirestoreServer.start();
        return new Running(server.url("leases", "20s"), server);
    });

    private final Map<String, String> environment;
    private final Starter starter;
    private String url = "";

    private ServerStore(Starter starter) {
        this(Map.of(), starter);
    }

    private ServerStore(Map<String, String> environment, Starter starter) {
        this.environment = environment;
        this.starter = starter;
    }

    private interface Starter {
        Running start() throws IOException, InterruptedException;
    }

    private record Running(String url, AutoCloseable server) {}

    private static Running innoDb(String scheme, InnoDbProcess server) {
        return new Running(scheme + "://root@127.0.0.1:" + server.port() + "/leases", server);
    }

    /** The URL, as a user writes it. */
    public String url() {
        return url;
    }

    /** What the program needs in its environment; commands inside this JVM read that of the JVM, which has the same. */
    Map<String, String> environment() {
        return environment;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(ExtensionContext.Namespace.create(ServerStore.class))
                .getOrComputeIfAbsent(this, store -> running());
    }

    private AutoCloseable running() {
        try {
            Running running = starter.start();
            url = running.url();
            return running.server();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("the test's server did not start: " + e.getMessage(), e);
        }
    }
}
