package dev.leasehold.cli.store;

import dev.leasehold.testkit.environment.InstalledProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.embedded.RedisServer;

/** Real servers that want the password of the user carol: PostgreSQL, MariaDB and Redis. */
final class GuardedServers implements AutoCloseable {
    /** Must not appear in any output. */
    static final String PASSWORD = "s3cret-of-carol";

    private static final int START_TRIES = 300;

    private final Path directory;
    private final String postgresql;
    private final int mariaDbPort;
    private final int redisPort;
    private final Process mariaDb;
    private final RedisServer redis;

    GuardedServers(Path directory) throws Exception {
        this.directory = directory;
        postgresql = ServerStore.POSTGRESQL.url().replace("postgres@", "carol@");
        addToPostgresql();
        redisPort = freePort();
        redis = RedisServer.newRedisServer()
                .port(redisPort)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .setting("requirepass " + PASSWORD)
                .build();
        redis.start();
        mariaDbPort = freePort();
        mariaDb = startMariaDb();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void addToPostgresql() throws Exception {
        String admin = "jdbc:" + ServerStore.POSTGRESQL.url().replace("postgres@", "") + "?user=postgres";
        try (Connection connection = DriverManager.getConnection(admin);
                Statement statement = connection.createStatement()) {
            statement.execute("create role carol login password '" + PASSWORD + "'");
            try (ResultSet row = statement.executeQuery("show hba_file")) {
                row.next();
                Path rules = Path.of(row.getString(1));
                Files.writeString(rules, "host all carol all scram-sha-256\n" + Files.readString(rules));
            }
            statement.execute("select pg_reload_conf()");
        }
    }

    private Process startMariaDb() throws Exception {
        String user = "--user=" + System.getProperty("user.name");
        String data = "--datadir=" + directory.resolve("data");
        String scratch = "--tmpdir=" + Files.createDirectory(directory.resolve("tmp"));
        Process installing = start(List.of(
                InstalledProgram.require("mariadb-install-db").toString(),
                "--no-defaults",
                user,
                data,
                scratch,
                "--auth-root-authentication-method=normal",
                "--skip-test-db"));
        if (!installing.waitFor(120, TimeUnit.SECONDS) || installing.exitValue() != 0) {
            throw new IllegalStateException(Files.readString(directory.resolve("log")));
        }
        Process server = start(List.of(
                InstalledProgram.require("mariadbd").toString(),
                "--no-defaults",
                user,
                data,
                scratch,
                "--port=" + mariaDbPort,
                "--bind-address=127.0.0.1",
                "--socket=" + directory.resolve("s"),
                "--pid-file=" + directory.resolve("pid")));
        try (Connection connection = firstConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create user carol identified by '" + PASSWORD + "'");
            statement.execute("create database leases");
        }
        return server;
    }

    private Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    private Connection firstConnection() throws Exception {
        for (int tries = 0; tries < START_TRIES; tries++) {
            try {
                return DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + mariaDbPort + "/mysql?user=root");
            } catch (SQLException e) {
                Thread.sleep(100);
            }
        }
        throw new IllegalStateException(Files.readString(directory.resolve("log")));
    }

    /** @param credentials in place of {@code carol} */
    String postgresql(String credentials) {
        return postgresql.replace("carol@", credentials + "@");
    }

    String mariaDb(String credentials) {
        return "mariadb://" + credentials + "@127.0.0.1:" + mariaDbPort + "/leases";
    }

    String redis(String credentials) {
        return "redis://" + credentials + "127.0.0.1:" + redisPort;
    }

    @Override
    public void close() throws Exception {
        redis.stop();
        mariaDb.destroyForcibly().waitFor();
    }
}
