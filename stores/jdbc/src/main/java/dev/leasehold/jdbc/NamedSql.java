package dev.leasehold.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A statement with named parameters, so that it can be read, and can use a parameter more than
 * once, without counting positions.
 */
final class NamedSql {
    /** Two colons are a cast. A time of day has digits after its colons. */
    private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");

    private final String text;
    private final List<String> parameters = new ArrayList<>();

    NamedSql(String sql) {
        Matcher found = PARAMETER.matcher(sql);
        StringBuilder positional = new StringBuilder();
        while (found.find()) {
            parameters.add(found.group(1));
            found.appendReplacement(positional, "?");
        }
        this.text = found.appendTail(positional).toString();
    }

    PreparedStatement prepare(Connection connection, SqlParameters params) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(text);
        try {
            for (int i = 0; i < parameters.size(); i++) {
                bind(statement, i + 1, params.get(parameters.get(i)));
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    private static void bind(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
        if (value instanceof Long number) {
            statement.setLong(index, number);
        } else if (value instanceof String string) {
            statement.setString(index, string);
        } else if (value == null) {
            // Only text parameters are ever null.
            statement.setNull(index, Types.VARCHAR);
        } else if (value instanceof Boolean flag) {
            statement.setBoolean(index, flag);
        } else if (value instanceof byte[] bytes) {
            statement.setBytes(index, bytes);
        } else {
            statement.setObject(index, value);
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
