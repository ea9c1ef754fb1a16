package dev.leasehold.jdbc;

import dev.leasehold.fence.Fence;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.nemesis.ContestedTarget;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * A guarded row in the same database as its fence.
 *
 * @param upsert writes the content, its only parameter
 */
record ContestedRow(LeaseStore store, DataSource source, Fence<SqlWork> fence, String upsert)
        implements ContestedTarget {
    /** Closes the store if the server does not answer. */
    static ContestedRow open(LeaseStore store, DataSource source, String longText, String upsert) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "create table if not exists contested (id int primary key, content " + longText + " not null)");
            return new ContestedRow(store, source, JdbcFence.on(source, "contested"), upsert);
        } catch (SQLException | StoreUnavailableException e) {
            store.close();
            throw new StoreUnavailableException("not now", e);
        }
    }

    @Override
    public Admission raise(Grant grant) {
        return fence.raise(grant);
    }

    @Override
    public Admission admit(Grant grant, String content) {
        return fence.admit(grant, SqlWork.of("rewrite", connection -> put(connection, content)));
    }

    @Override
    public String read() {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select content from contested")) {
            return row.next() ? row.getString(1) : "";
        } catch (SQLException e) {
            throw new TargetUnavailableException("not read", e);
        }
    }

    @Override
    public void overwrite(String content) {
        try (Connection connection = source.getConnection()) {
            put(connection, content);
        } catch (SQLException e) {
            throw new TargetUnavailableException("perhaps written", e);
        }
    }

    private void put(Connection connection, String content) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(upsert)) {
            statement.setString(1, content);
            statement.executeUpdate();
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
