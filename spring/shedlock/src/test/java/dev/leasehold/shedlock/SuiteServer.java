package dev.leasehold.shedlock;

import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.servers.LoopbackPort;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import redis.embedded.RedisServer;

/** A real server on loopback, from its first use to the end of the tests. */
abstract class SuiteServer implements BeforeAllCallback {
    static final SuiteServer POSTGRESQL = new SuiteServer() {
        @Override
        Running start() throws Exception {
            EmbeddedPostgres server = EmbeddedPostgres.start();
            return new Running("postgresql://postgres@localhost:" + server.getPort() + "/postgres", server);
        }
    };

    static final SuiteServer REDIS = new SuiteServer() {
        @Override
        Running start() throws Exception {
            int port = LoopbackPort.free();
            RedisServer server = RedisServer.newRedisServer()
                    .port(port)
                    .bind("127.0.0.1")
                    .setting("save \"\"")
                    .build();
            server.start();
            return new Running("redis://localhost:" + port + "/0", server::stop);
        }
    };

    static final SuiteServer MARIADB = new SuiteServer() {
        @Override
        Running start() throws Exception {
            return startMariaDb(Files.createTempDirectory("leasehold-mariadb"), LoopbackPort.free());
        }
    };

    private static final int START_TRIES = 300;

    private String url = "";

    record Running(String url, AutoCloseable server) {}

    abstract Running start() throws Exception;

    String url() {
        return url;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // JUnit closes what is in the root's store at the end of all tests.
        context.getRoot()
                .getStore(ExtensionContext.Namespace.create(SuiteServer.class))
                .getOrComputeIfAbsent(this, server -> running());
    }

    private AutoCloseable running() {
        try {
            Running running = start();
            url = running.url();
            return running.server();
        } catch (Exception e) {
            throw new IllegalStateException("the test's server did not start: " + e.getMessage(), e);
        }
    }

    private static Running startMariaDb(Path directory, int port) throws Exception {
        String user = "--user=" + System.getProperty("user.name");
        String data = "--datadir=" + directory.resolve("data");
        // Two installations at the same time would use the same names for temporary tables.
        String scratch = "--tmpdir=" + Files.createDirectory(directory.resolve("tmp"));
        File log = directory.resolve("log").toFile();
        Process installing = process(
                log,
                InstalledProgram.require("mariadb-install-db").toString(),
                "--no-defaults",
                user,
                data,
                scratch,
                "--auth-root-authentication-method=normal",
                "--skip-test-db");
        if (!installing.waitFor(120, TimeUnit.SECONDS) || installing.exitValue() != 0) {
            installing.destroyForcibly();
            throw new IllegalStateException("mariadb-install-db failed: " + Files.readString(log.toPath()));
        }
        Process server = process(
                log,
                InstalledProgram.require("mariadbd").toString(),
                "--no-defaults",
                user,
                data,
                scratch,
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=" + directory.resolve("s"),
                "--pid-file=" + directory.resolve("pid"));
        Runtime.getRuntime().addShutdownHook(new Thread(server::destroyForcibly));
        createDatabase(server, port, log);
        return new Running("mariadb://root@127.0.0.1:" + port + "/leases", () -> {
            server.destroyForcibly().waitFor();
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        });
    }

    private static void createDatabase(Process server, int port, File log) throws Exception {
        for (int tries = 0; tries < START_TRIES && server.isAlive(); tries++) {
            try (Connection connection =
                            DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port + "/mysql?user=root");
                    Statement statement = connection.createStatement()) {
                statement.execute("create database leases");
                return;
            } catch (SQLException e) {
                Thread.sleep(100);
            }
        }
        throw new IllegalStateException("mariadbd does not answer: " + Files.readString(log.toPath()));
    }

    private static Process process(File log, String... command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start();
    }
}
