package dev.leasehold.jdbc;

import dev.leasehold.testkit.environment.InstalledProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/**
 * A real MariaDB from the operating system's package, on loopback, with default settings and its
 * own directory.
 */
final class MariaDbServer extends TestServer {
    static final MariaDbServer SHARED = new MariaDbServer();
    static final String PASSWORD = "s3cret/of#mariadb";

    private static final int START_TRIES = 300;

    private Path directory;
    private int port;
    private int databases;
    private Process process;

    @Override
    void start() throws Exception {
        String server = InstalledProgram.require("mariadbd").toString();
        String installer = InstalledProgram.require("mariadb-install-db").toString();
        directory = Files.createTempDirectory("leasehold-mariadb");
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
        String user = "--user=" + System.getProperty("user.name");
        Path data = directory.resolve("data");
        // Two installations at the same time would use the same names for temporary tables.
        String scratch = "--tmpdir=" + Files.createDirectory(directory.resolve("tmp"));
        run(List.of(
                installer,
                "--no-defaults",
                user,
                "--datadir=" + data,
                scratch,
                "--auth-root-authentication-method=normal",
                "--skip-test-db"));
        port = freePort();
        process = new ProcessBuilder(
                        server,
                        "--no-defaults",
                        user,
                        "--datadir=" + data,
                        scratch,
                        "--port=" + port,
                        "--bind-address=127.0.0.1",
                        "--socket=" + directory.resolve("s"),
                        "--pid-file=" + directory.resolve("pid"))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        try (Connection connection = firstConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create user worker identified by '" + PASSWORD + "'");
        }
        createDatabase("leases");
    }

    void createDatabase(String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection(rootUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
            statement.execute("grant all on " + name + ".* to worker");
        }
    }

    private String rootUrl() {
        return "jdbc:mariadb://127.0.0.1:" + port + "/mysql?user=root";
    }

    private Connection firstConnection() throws Exception {
        for (int tries = 0; tries < START_TRIES && process.isAlive(); tries++) {
            try {
                return DriverManager.getConnection(rootUrl());
            } catch (SQLException e) {
                Thread.sleep(100);
            }
        }
        throw new IllegalStateException("mariadbd does not answer: " + Files.readString(directory.resolve("log")));
    }

    private void run(List<String> command) throws Exception {
        Path log = directory.resolve("install-log");
        Process installing = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!installing.waitFor(60, TimeUnit.SECONDS) || installing.exitValue() != 0) {
            installing.destroyForcibly();
            throw new IllegalStateException(command.get(0) + " failed: " + Files.readString(log));
        }
    }

    @Override
    void stop() throws Exception {
        process.destroy();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            kill();
            process.waitFor(20, TimeUnit.SECONDS);
        }
        SqliteServer.deleteTree(directory);
    }

    private void kill() {
        if (process != null && process.isAlive()) {
            process.destroyForcibly();
        }
    }

    @Override
    String url() {
        return url("leases");
    }

    private String url(String database) {
        return "mariadb://worker:" + PASSWORD.replace("/", "%2F").replace("#", "%23") + "@127.0.0.1:" + port + "/"
                + database;
    }

    @Override
    String emptyDatabase() throws SQLException {
        String name = "empty" + ++databases;
        createDatabase(name);
        return url(name);
    }

    @Override
    DataSource dataSource() {
        try {
            MariaDbDataSource source = new MariaDbDataSource("jdbc:mariadb://127.0.0.1:" + port + "/leases");
            source.setUser("worker");
            source.setPassword(PASSWORD);
            return source;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
