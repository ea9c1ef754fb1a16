package dev.leasehold.jdbc;

import dev.leasehold.internal.MovedStore;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreMissingException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates the tables on request, safely with concurrent clients, and never alters them. The item
 * that shows what they are for is written last: if it is there, everything is there, and an ordinary
 * start costs this one read.
 */
final class Schema {
    private static final int MAX_TRIES = 20;
    private static final int LOCK_SECONDS = 3;
    /**
     * A statement ends at a semicolon before a blank line or the end of the file; a semicolon
     * inside a trigger does not.
     */
    private static final String STATEMENT_END = ";\\n(\\n|$)";

    private static final String STORE_ID = "store-id";
    private static final String TABLES = "tables";
    private static final String MOVED_TO = "moved-to";
    private static final NamedSql READ = new NamedSql("select content from leasehold_meta where item = :item");

    private static final NamedSql UPDATE =
            new NamedSql("update leasehold_meta set content = :content where item = :item");
    private static final NamedSql INSERT =
            new NamedSql("insert into leasehold_meta (item, content) values (:item, :content)");
    private static final NamedSql READ_FENCE =
            new NamedSql("select raised, attempt, once, digest, uses from leasehold_fence where resource = :resource");
    private static final NamedSql LOCK = new NamedSql("update leasehold_meta set content = content where item = :item");
    private static final NamedSql REMOVE = new NamedSql("delete from leasehold_meta where item = :item");

    /** PostgreSQL; MariaDB and H2; H2 in an empty database. */
    private static final Set<String> MISSING_TABLE = Set.of("42P01", "42S02", "42S03", "42S04");

    private Schema() {}

    /** @throws StoreMissingException if there is no store and none may be created */
    static StoreId open(Database database, Ids ids, boolean create) {
        return database.run(connection -> {
            requireUsable(database, connection);
            String id = create
                    ? createUntilReadable(connection, database.dialect(), STORE_ID, ids.unique())
                    : readExisting(connection, database.dialect());
            MovedStore moved = moved(connection, id);
            if (moved != null) {
                throw moved.exception();
            }
            return StoreId.of(id);
        });
    }

    private static @Nullable MovedStore moved(Connection connection, String id) throws SQLException {
        return MovedStore.isMoved(id) ? MovedStore.of(id, readItem(connection, MOVED_TO)) : null;
    }

    /** Where the store of this database was moved; null if it is here. */
    static @Nullable MovedStore moved(Connection connection) throws SQLException {
        String id = readItem(connection, STORE_ID);
        return id == null ? null : moved(connection, id);
    }

    /** The same, for the explanation of a failure; also null if it cannot be found out. */
    static @Nullable MovedStore movedIfKnown(Connection connection) {
        try {
            return moved(connection);
        } catch (SQLException | IllegalArgumentException e) {
            return null;
        }
    }

    /** @throws StoreMissingException if there is no store */
    static void requireStore(Database database) {
        database.run(connection -> readExisting(connection, database.dialect()));
    }

    /** The id of the store, which may have been moved. */
    static StoreId idOf(Connection connection, @Nullable MovedStore moved) throws SQLException {
        return moved == null ? StoreId.of(String.valueOf(readItem(connection, STORE_ID))) : moved.id();
    }

    /** Locks the id until the transaction ends. Fails if another process has locked it. */
    static void lock(Connection connection) throws SQLException {
        try (PreparedStatement statement = LOCK.prepare(connection, SqlParameters.of("item", STORE_ID))) {
            statement.setQueryTimeout(LOCK_SECONDS);
            statement.executeUpdate();
        }
    }

    /** Takes the record of a move back. */
    static void unmove(Connection connection, StoreId id) throws SQLException {
        Database.changes(connection, REMOVE, SqlParameters.of("item", MOVED_TO));
        Database.changes(connection, UPDATE, SqlParameters.of("item", STORE_ID).and("content", id.value()));
    }

    static void write(Connection connection, Dialect dialect, MovedStore state) throws SQLException {
        Database.changes(connection, REMOVE, SqlParameters.of("item", MOVED_TO));
        insert(connection, dialect, MOVED_TO, state.to());
        Database.changes(connection, UPDATE, SqlParameters.of("item", STORE_ID).and("content", state.text()));
    }

    /** @throws StoreUnavailableException if there is a store, or what remains of one that was moved */
    static void requireNoStore(Database database) {
        database.run(connection -> {
            requireUsable(database, connection);
            String id = read(connection, STORE_ID);
            if (id != null) {
                throw new StoreUnavailableException(
                        "this database contains a store already; nothing was changed. Choose"
                                + " another database or schema");
            }
            return "";
        });
    }

    /** Makes a database whose tables are filled a store. Fails if there is one. */
    static void insertId(Connection connection, StoreId id) throws SQLException {
        Database.changes(connection, INSERT, SqlParameters.of("item", STORE_ID).and("content", id.value()));
    }

    /** Creates the tables for a fence, in a database that need not contain a store. */
    static void prepare(Database database) {
        database.run(connection -> {
            requireUsable(database, connection);
            boolean store = read(connection, STORE_ID) != null;
            return store ? "" : createUntilReadable(connection, database.dialect(), TABLES, "1");
        });
    }

    /** @throws StoreMissingException if there is no table for fences */
    static void requireFence(Database database) {
        database.run(connection -> {
            requireUsable(database, connection);
            try {
                return Database.rows(connection, READ_FENCE, SqlParameters.of("resource", ""), row -> "");
            } catch (SQLException e) {
                requireOurTables(connection, database.dialect());
                if (!isMissingTable(e)) {
                    throw e;
                }
                throw new StoreMissingException(
                        "this database has no table leasehold_fence; nothing was created. Run the statements of schema/"
                                + database.dialect().schema()
                                + " in the leasehold-jdbc jar, in a migration for example");
            }
        });
    }

    private static void requireUsable(Database database, Connection connection) throws SQLException {
        Optional<String> unusable = database.dialect().unusable(connection);
        if (unusable.isPresent()) {
            throw new IllegalStateException(unusable.get());
        }
    }

    private static String createUntilReadable(Connection connection, Dialect dialect, String item, String content)
            throws SQLException {
        SQLException latest = null;
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            String found = read(connection, item);
            if (found != null) {
                return found;
            }
            latest = create(connection, dialect, item, content);
        }
        throw new SQLException(
                "the tables cannot be created: "
                        + (latest == null ? "what was written is gone" : SqlFailures.inOneLine(latest))
                        + "; run schema/" + dialect.schema() + " from the leasehold-jdbc jar yourself",
                "42501",
                latest);
    }

    /** Null if the item or its table does not exist yet. */
    private static @Nullable String read(Connection connection, String item) throws SQLException {
        try {
            return readItem(connection, item);
        } catch (SQLException e) {
            if (!connection.isValid(1)) {
                throw e;
            }
            // The table does not exist yet, or another client is creating it.
            return null;
        }
    }

    private static String readExisting(Connection connection, Dialect dialect) throws SQLException {
        String id = null;
        try {
            id = readItem(connection, STORE_ID);
        } catch (SQLException e) {
            requireOurTables(connection, dialect);
            if (!isMissingTable(e)) {
                throw e;
            }
        }
        if (id == null) {
            throw new StoreMissingException(
                    "this database contains no store; nothing was created. Check the name of the"
                            + " database and its schema. To make a new store here, run 'leasehold store init' with the same URL, without ?id=...");
        }
        return id;
    }

    private static @Nullable String readItem(Connection connection, String item) throws SQLException {
        List<String> found = Database.rows(connection, READ, SqlParameters.of("item", item), row -> row.getString(1));
        return found.isEmpty() ? null : found.get(0);
    }

    /** Not a missing permission, for example. SQLite has no SQL states. */
    static boolean isMissingTable(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return MISSING_TABLE.contains(state) || String.valueOf(e.getMessage()).contains("no such table");
    }

    /**
     * Returns the error, if any. Most likely another client created the same table at the same
     * moment; the next read shows that.
     */
    private static @Nullable SQLException create(Connection connection, Dialect dialect, String item, String content) {
        requireOurTables(connection, dialect);
        try (Statement statement = connection.createStatement()) {
            for (String sql : script(dialect).split(STATEMENT_END, 0)) {
                statement.execute(sql);
            }
            insert(connection, dialect, item, content);
            return null;
        } catch (SQLException e) {
            return e;
        }
    }

    private static void insert(Connection connection, Dialect dialect, String item, String content)
            throws SQLException {
        NamedSql insert = new NamedSql(dialect.insertIfAbsent("leasehold_meta", "item, content", ":item, :content"));
        Database.changes(connection, insert, SqlParameters.of("item", item).and("content", content));
    }

    private static void requireOurTables(Connection connection, Dialect dialect) {
        List<String> differences = differences(connection, dialect);
        if (!differences.isEmpty()) {
            throw new StoreCorruptException(complaint(dialect, differences));
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

    static String script(Dialect dialect) {
        String name = "schema/" + dialect.schema();
        try (InputStream in = Objects.requireNonNull(Schema.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
