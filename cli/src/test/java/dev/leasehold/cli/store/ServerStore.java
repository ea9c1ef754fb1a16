package dev.leasehold.cli.store;

import dev.leasehold.testkit.environment.InstalledProgram;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
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

    /** Needs the program etcd. */
    static final ServerStore ETCD = new ServerStore() {
        @Override
        Running start() throws IOException {
            Path data = Files.createTempDirectory("leasehold-cli-etcd");
            String client = "127.0.0.1:" + freePort();
            String peer = "http://127.0.0.1:" + freePort();
            Process server = new ProcessBuilder(
                            InstalledProgram.require("etcd").toString(),
                            "--data-dir=" + data,
                            "--listen-client-urls=http://" + client,
                            "--advertise-client-urls=http://" + client,
                            "--listen-peer-urls=" + peer,
                            "--initial-advertise-peer-urls=" + peer,
                            "--initial-cluster=default=" + peer)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new Running("etcd://" + client + "/leases?timeout=30s", () -> {
                server.destroyForcibly().waitFor();
                delete(data);
            });
        }
    };

    /** Needs MySQL. */
    static final ServerStore MYSQL = new ServerStore() {
        @Override
        Running start() throws IOException {
            Path program = InstalledProgram.require(InstalledProgram.MYSQL);
            Path directory = Files.createTempDirectory("leasehold-cli-mysql");
            copy(program.resolveSibling("data"), directory.resolve("data"));
            Path first = Files.writeString(directory.resolve("first.sql"), "create database leases;\n");
            int port = freePort();
            Process server = new ProcessBuilder(
                            program.toString(),
                            "--no-defaults",
                            "--user=" + System.getProperty("user.name"),
                            "--basedir=" + program.resolveSibling("usr"),
                            "--datadir=" + directory.resolve("data"),
                            "--init-file=" + first,
                            "--port=" + port,
                            "--bind-address=127.0.0.1",
                            "--socket=" + directory.resolve("s"),
                            "--pid-file=" + directory.resolve("pid"),
                            "--secure-file-priv=NULL",
                            "--mysqlx=OFF",
                            "--performance-schema=OFF",
                            "--innodb-redo-log-capacity=64M")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            awaitAnswer(port, server);
            return new Running("mysql://root@127.0.0.1:" + port + "/leases", () -> {
                server.destroyForcibly().waitFor();
                delete(directory);
            });
        }
    };

    private String url = "";

    private record Running(String url, AutoCloseable server) {}

    abstract Running start() throws IOException;

    /** The URL, as a user writes it. */
    public String url() {
        return url;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    /** Waits until a server speaks first to who connects. */
    private static void awaitAnswer(int port, Process server) throws IOException {
        for (int tries = 0; tries < 600 && server.isAlive(); tries++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (socket.getInputStream().read() >= 0) {
                    return;
                }
            } catch (IOException e) {
                LockSupport.parkNanos(100_000_000L);
            }
        }
        throw new IOException("nobody answers at port " + port);
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
