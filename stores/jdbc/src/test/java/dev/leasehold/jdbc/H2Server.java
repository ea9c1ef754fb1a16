package dev.leasehold.jdbc;

import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** A database in the memory of this process. */
final class H2Server extends TestServer {
    static final H2Server SHARED = new H2Server();

    private int databases;

    @Override
    void start() {}

    @Override
    void stop() throws Exception {
        try (var connection = dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("shutdown");
        }
    }

    @Override
    String url() {
        return "h2:mem:contract";
    }

    @Override
    String emptyDatabase() {
        return "h2:mem:empty" + ++databases;
    }

    @Override
    DataSource dataSource() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:contract;DB_CLOSE_DELAY=-1");
        source.setUser("sa");
        source.setPassword("");
        return source;
    }
}
