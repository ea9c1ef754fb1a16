package dev.leasehold.jdbc;

import dev.leasehold.fence.Fence;
import dev.leasehold.testkit.FenceContract;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** The fence contract on a row in the same database as the fence. */
abstract class SqlFenceContract extends FenceContract<SqlWork> {
    private final String resource = "document/" + UUID.randomUUID();

    abstract DataSource dataSource();

    @Override
    protected Fence<SqlWork> openFence() {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists document (id varchar(100) primary key, content "
                    + longText(connection) + " not null)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return JdbcFence.on(dataSource(), resource);
    }

    private static String longText(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName().matches("MariaDB|MySQL")
                ? "mediumtext character set utf8mb4"
                : "text";
    }

    @Override
    protected SqlWork write(String content) {
        return SqlWork.of(digest(content), connection -> {
            try (PreparedStatement delete = connection.prepareStatement("delete from document where id = ?");
                    PreparedStatement insert = connection.prepareStatement("insert into document values (?, ?)")) {
                delete.setString(1, resource);
                delete.executeUpdate();
                insert.setString(1, resource);
                insert.setString(2, content);
                insert.executeUpdate();
            }
        });
    }

    @Override
    protected Optional<String> read() {
        try (Connection connection = dataSource().getConnection();
                PreparedStatement select = connection.prepareStatement("select content from document where id = ?")) {
            select.setString(1, resource);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String digest(String content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (java.security.GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
