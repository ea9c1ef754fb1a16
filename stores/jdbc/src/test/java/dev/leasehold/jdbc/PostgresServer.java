package dev.leasehold.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * A real PostgreSQL on loopback, with default settings: the starter library would switch off
 * durability.
 */
final class PostgresServer extends TestServer {
    static final PostgresServer SHARED = new PostgresServer();

    private EmbeddedPostgres server;
    private int databases;

    static EmbeddedPostgres.Builder builder() {
        return EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on");
    }

    @Override
    void start() throws Exception {
        server = builder().start();
    }

    @Override
    void stop() throws Exception {
        server.close();
    }

    int port() {
        return server.getPort();
    }

    @Override
    String url() {
        return "postgresql://postgres@localhost:" + port() + "/postgres";
    }

    @Override
    String emptyDatabase() throws SQLException {
        String name = "empty" + ++databases;
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        }
        return "postgresql://postgres@localhost:" + port() + "/" + name;
    }

    @Override
    DataSource dataSource() {
        return server.getPostgresDatabase();
    }
}
