package dev.leasehold.jdbc;

import dev.leasehold.testkit.servers.InnoDbProcess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** A real MariaDB or MySQL for the tests of this module. */
abstract class InnoDbServer extends TestServer {
    static final String PASSWORD = "s3cret/of#mariadb";

    private final String scheme;
    private final String options;
    private InnoDbProcess process;
    private int databases;

    /** @param options of a URL, after a question mark */
    InnoDbServer(String scheme, String options) {
        this.scheme = scheme;
        this.options = options;
    }

    /** @param first statements that the server runs before it answers */
    abstract InnoDbProcess start(String first) throws Exception;

    @Override
    void start() throws Exception {
        process = start("create user worker identified by '" + PASSWORD + "';\n");
        createDatabase("leases");
    }

    /** Kills the server without a shutdown, and returns when it answers again. */
    void killAndStart() throws Exception {
        restartWith();
    }

    /** Restarts the server with settings as on its command line. */
    void restartWith(String... settings) throws Exception {
        process.restartWith(List.of(settings));
    }

    int port() {
        return process.port();
    }

    void createDatabase(String name) throws SQLException {
        asRoot("create database " + name, "grant all on " + name + ".* to worker");
    }

    void asRoot(String... statements) throws SQLException {
        try (Connection connection = rootConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Without TLS. */
    Connection rootConnection() throws SQLException {
        return DriverManager.getConnection(rootUrl());
    }

    private String rootUrl() {
        return "jdbc:mariadb://127.0.0.1:" + port() + "/mysql?user=root";
    }

    @Override
    void stop() throws Exception {
        process.close();
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
        return scheme + "://worker:" + PASSWORD.replace("/", "%2F").replace("#", "%23") + "@127.0.0.1:" + port() + "/"
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
        return dataSource("jdbc:mariadb://127.0.0.1:" + port() + "/leases" + options);
    }

    /** Of a driver that counts only rows whose values changed. */
    DataSource countingChangedRows() {
        return dataSource("jdbc:mariadb://127.0.0.1:" + port() + "/leases" + options + (options.isEmpty() ? "?" : "&")
                + "useAffectedRows=true");
    }

    /** Of another database of this server. */
    DataSource dataSourceOf(String database) {
        return dataSource("jdbc:mariadb://127.0.0.1:" + port() + "/" + database + options);
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
