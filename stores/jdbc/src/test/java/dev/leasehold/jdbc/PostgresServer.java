package dev.leasehold.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import javax.sql.DataSource;

/**
 * A real PostgreSQL on loopback, with default settings: the starter library would switch off
 * durability.
 */
final class PostgresServer extends TestServer {
    static final PostgresServer SHARED = new PostgresServer();

    private EmbeddedPostgres server;

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
    DataSource dataSource() {
        return server.getPostgresDatabase();
    }
}
