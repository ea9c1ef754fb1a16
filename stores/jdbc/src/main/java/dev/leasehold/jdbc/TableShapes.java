package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The shape of the tables as the schema script declares it, for comparison with the actual tables.
 */
final class TableShapes {
    private static final Pattern TABLE =
            Pattern.compile("create table if not exists (\\w+) \\((.*?)\\n\\)", Pattern.DOTALL);
    private static final Pattern COLUMN = Pattern.compile("\\n    (\\w+) (\\w+)(?:\\((\\d+)\\))?([^\\n]*)");

    private enum Kind {
        NUMBER,
        TEXT,
        BYTES
    }

    /** @param size the least number of characters or bytes; zero if it does not matter */
    private record Column(Kind kind, int size) {}

    private final Map<String, Map<String, Column>> tables = new LinkedHashMap<>();

    private TableShapes() {}

    static TableShapes parse(String script) {
        TableShapes shapes = new TableShapes();
        Matcher table = TABLE.matcher(script);
        while (table.find()) {
            Map<String, Column> columns = new LinkedHashMap<>();
            Matcher column = COLUMN.matcher(table.group(2));
            while (column.find()) {
                if (!column.group(1).equals("primary")) {
                    int size = column.group(3) == null ? 0 : Integer.parseInt(column.group(3));
                    columns.put(column.group(1), new Column(declaredKind(column.group(2)), size));
                }
            }
            shapes.tables.put(table.group(1), columns);
        }
        return shapes;
    }

    private static Kind declaredKind(String type) {
        return switch (type) {
            case "bigint", "integer", "tinyint", "boolean" -> Kind.NUMBER;
            case "varbinary", "bytea", "blob", "mediumblob" -> Kind.BYTES;
            default -> Kind.TEXT;
        };
    }

    /** Differences in the tables that exist; a missing table is not a difference. */
    List<String> differences(Connection connection) throws SQLException {
        List<String> found = new ArrayList<>();
        DatabaseMetaData meta = connection.getMetaData();
        for (Map.Entry<String, Map<String, Column>> table : tables.entrySet()) {
            String stored = meta.storesUpperCaseIdentifiers() ? upper(table.getKey()) : table.getKey();
            Map<String, Column> missing = new LinkedHashMap<>(table.getValue());
            boolean exists = false;
            try (ResultSet column = meta.getColumns(connection.getCatalog(), connection.getSchema(), stored, null)) {
                while (column.next()) {
                    if (column.getString("TABLE_NAME").equalsIgnoreCase(stored)) {
                        exists = true;
                        compare(table.getKey(), column, missing, found);
                    }
                }
            }
            if (exists) {
                missing.keySet().forEach(name -> found.add(table.getKey() + " has no column " + name));
            }
        }
        return found;
    }

    static boolean exists(Connection connection, String table) throws SQLException {
        DatabaseMetaData meta = connection.getMetaData();
        String stored = meta.storesUpperCaseIdentifiers() ? upper(table) : table;
        try (ResultSet column = meta.getColumns(connection.getCatalog(), connection.getSchema(), stored, null)) {
            while (column.next()) {
                if (column.getString("TABLE_NAME").equalsIgnoreCase(stored)) {
                    return true;
                }
            }
            return false;
        }
    }

    private static void compare(String table, ResultSet there, Map<String, Column> missing, List<String> found)
            throws SQLException {
        String name = there.getString("COLUMN_NAME").toLowerCase(Locale.ROOT);
        Column expected = missing.remove(name);
        boolean mustBeFilled =
                there.getInt("NULLABLE") == DatabaseMetaData.columnNoNulls && there.getString("COLUMN_DEF") == null;
        if (expected == null) {
            if (mustBeFilled) {
                found.add(table + " has a column " + name + " that must be filled and that Leasehold does not fill");
            }
            return;
        }
        Kind kind = kindOf(there.getInt("DATA_TYPE"), there.getString("TYPE_NAME"));
        if (kind != expected.kind) {
            found.add(table + "." + name + " holds " + words(kind) + " instead of " + words(expected.kind));
        } else if (expected.size > 0 && there.getInt("COLUMN_SIZE") < expected.size) {
            found.add(table + "." + name + " has room for " + there.getInt("COLUMN_SIZE") + " instead of "
                    + expected.size);
        }
    }

    private static Kind kindOf(int jdbcType, String typeName) {
        // SQLite's driver reports every blob as text.
        return switch (typeName.equals("BLOB") ? Types.BLOB : jdbcType) {
            case Types.BIGINT, Types.INTEGER, Types.SMALLINT, Types.TINYINT, Types.BIT, Types.BOOLEAN -> Kind.NUMBER;
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> Kind.BYTES;
            default -> Kind.TEXT;
        };
    }

    private static String words(Kind kind) {
        return switch (kind) {
            case NUMBER -> "whole numbers";
            case TEXT -> "text";
            case BYTES -> "bytes";
        };
    }

    private static String upper(String name) {
        return name.toUpperCase(Locale.ROOT);
    }
}
