package dev.leasehold.cli.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import redis.embedded.RedisServer;

/**
 * A real server on loopback as the store of the commands, from the first use to the end of the
 * tests.
 */
public abstract class ServerStore implements BeforeAllCallback {
    public static final ServerStore POSTGRESQL = new ServerStore() {
        @Override
        Running start() throws IOException {
            // Durable as in production; the starter would turn both off.
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .start();
            return new Running("postgresql://postgres@localhost:" + server.getPort() + "/postgres", server);
        }
    };

    static final ServerStore REDIS = new ServerStore() {
        @Override
        Running start() throws IOException {
            int port = freePort();
            RedisServer server = RedisServer.newRedisServer()
                    .port(port)
                    .bind("127.0.0.1")
                    .setting("save \"\"")
                    .build();
            server.start();
            return new Running("redis://localhost:" + port + "/0", server::stop);
        }
    };

    private String url = "";

    private record Running(String url, AutoCloseable server) {}

    abstract Running start() throws IOException;

    /** The URL, as a user writes it. */
    public String url() {
        return url;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(ExtensionContext.Namespace.create(ServerStore.class))
                .getOrComputeIfAbsent(this, store -> running());
    }

    private AutoCloseable running() {
        try {
            Running running = start();
            url = running.url();
            return running.server();
        } catch (IOException e) {
            throw new IllegalStateException("the test's server did not start: " + e.getMessage(), e);
        }
    }
}
