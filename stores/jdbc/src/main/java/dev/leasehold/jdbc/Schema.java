package dev.leasehold.jdbc;

import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Creates the tables on first use, even if several clients do so at once, and never alters them.
 * The store id is written last. If it exists, all tables exist, so an ordinary start needs only one
 * read.
 */
final class Schema {
    private static final int MAX_TRIES = 20;
    /**
     * A statement ends at a semicolon before a blank line or the end of the file; a semicolon
     * inside a trigger does not.
     */
    private static final String STATEMENT_END = ";\\n(\\n|$)";

    private static final NamedSql READ_ID = new NamedSql("select content from leasehold_meta where item = 'store-id'");

    private Schema() {}

    static StoreId open(Database database, Ids ids) {
        return database.run(connection -> {
            Optional<String> unusable = database.dialect().unusable(connection);
            if (unusable.isPresent()) {
                throw new IllegalStateException(unusable.get());
            }
            SQLException latest = null;
            for (int tries = 0; tries < MAX_TRIES; tries++) {
                String id = readId(connection);
                if (id != null) {
                    return StoreId.of(id);
                }
                latest = create(connection, database.dialect(), ids);
            }
            throw new SQLException(
                    "the tables cannot be created: "
                            + (latest == null
                                    ? "the store id is gone after it was written"
                                    : SqlFailures.inOneLine(latest))
                            + "; run schema/" + database.dialect().schema() + " from the leasehold-jdbc jar yourself",
                    "42501",
                    latest);
        });
    }

    private static @Nullable String readId(Connection connection) throws SQLException {
        try {
            List<String> found = Database.rows(connection, READ_ID, new SqlParameters(), row -> row.getString(1));
            return found.isEmpty() ? null : found.get(0);
        } catch (SQLException e) {
            if (!connection.isValid(1)) {
                throw e;
            }
            // The table does not exist yet, or another client is creating it.
            return null;
        }
    }

    /**
     * Returns the error, if any. Most likely another client created the same table at the same
     * moment; the next read shows that.
     */
    private static @Nullable SQLException create(Connection connection, Dialect dialect, Ids ids) {
        List<String> differences = differences(connection, dialect);
        if (!differences.isEmpty()) {
            throw new StoreCorruptException(complaint(dialect, differences));
        }
        try (Statement statement = connection.createStatement()) {
            for (String sql : script(dialect).split(STATEMENT_END, 0)) {
                statement.execute(sql);
            }
            NamedSql insert =
                    new NamedSql(dialect.insertIfAbsent("leasehold_meta", "item, content", "'store-id', :content"));
            Database.changes(connection, insert, SqlParameters.of("content", ids.unique()));
            return null;
        } catch (SQLException e) {
            return e;
        }
    }

    static List<String> differences(Connection connection, Dialect dialect) {
        try {
            return TableShapes.parse(script(dialect)).differences(connection);
        } catch (SQLException e) {
            // The caller reports another error, or its next statement fails with this one.
            return List.of();
        }
    }

    static String complaint(Dialect dialect, List<String> differences) {
        return "existing tables differ from Leasehold's, and Leasehold does not alter tables: "
                + String.join("; ", differences)
                + ". Rename them, or use another database or schema (the shape is in schema/" + dialect.schema()
                + " of the leasehold-jdbc jar)";
    }

    private static String script(Dialect dialect) {
        String name = "schema/" + dialect.schema();
        try (InputStream in = Objects.requireNonNull(Schema.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
