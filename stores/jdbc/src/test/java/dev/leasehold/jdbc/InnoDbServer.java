package dev.leasehold.jdbc;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** A real MariaDB or MySQL on loopback, with default settings and its own directory. */
abstract class InnoDbServer extends TestServer {
    static final String PASSWORD = "s3cret/of#mariadb";

    private static final int START_TRIES = 600;

    private final String scheme;
    private final String options;
    private Path directory;
    private int port;
    private int databases;
    private Process process;

    /** @param options of a URL, after a question mark */
    InnoDbServer(String scheme, String options) {
        this.scheme = scheme;
        this.options = options;
    }

    /** Makes an empty database directory. */
    abstract void install(Path data, Path scratch) throws Exception;

    /** The program and the options that only it has. */
    abstract List<String> command();

    @Override
    void start() throws Exception {
        directory = Files.createTempDirectory("leasehold-" + scheme);
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
        install(directory.resolve("data"), Files.createDirectory(directory.resolve("tmp")));
        port = freePort();
        launch();
        try (Connection connection = firstConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create user worker identified by '" + PASSWORD + "'");
        }
        createDatabase("leases");
    }

    private void launch() throws Exception {
        List<String> command = new ArrayList<>(command());
        command.add(1, "--no-defaults");
        command.addAll(List.of(
                user(),
                "--datadir=" + directory.resolve("data"),
                "--tmpdir=" + directory.resolve("tmp"),
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=" + directory.resolve("s"),
                "--pid-file=" + directory.resolve("pid")));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    static String user() {
        return "--user=" + System.getProperty("user.name");
    }

    /** Kills the server without a shutdown, and returns when it answers again. */
    void killAndStart() throws Exception {
        kill();
        process.waitFor(20, TimeUnit.SECONDS);
        launch();
        firstConnection().close();
    }

    int port() {
        return port;
    }

    void createDatabase(String name) throws SQLException {
        asRoot("create database " + name, "grant all on " + name + ".* to worker");
    }

    void asRoot(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(rootUrl());
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
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
        throw new IllegalStateException(
                command().get(0) + " does not answer: " + Files.readString(directory.resolve("log")));
    }

    void run(List<String> command) throws Exception {
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

    /** The URL with one more option. */
    String url(String name, String value) {
        return url() + (options.isEmpty() ? "?" : "&") + name + "=" + value;
    }

    String url(String database) {
        return scheme + "://worker:" + PASSWORD.replace("/", "%2F").replace("#", "%23") + "@127.0.0.1:" + port + "/"
                + database + options;
    }

    @Override
    String emptyDatabase() throws SQLException {
        String name = "empty" + ++databases;
        createDatabase(name);
        return url(name);
    }

    @Override
    DataSource dataSource() {
        return dataSource("jdbc:mariadb://127.0.0.1:" + port + "/leases" + options);
    }

    /** Of a driver that counts only rows whose values changed. */
    DataSource countingChangedRows() {
        return dataSource("jdbc:mariadb://127.0.0.1:" + port + "/leases" + options + (options.isEmpty() ? "?" : "&")
                + "useAffectedRows=true");
    }

    private static DataSource dataSource(String url) {
        try {
            MariaDbDataSource source = new MariaDbDataSource(url);
            source.setUser("worker");
            source.setPassword(PASSWORD);
            return source;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
