package dev.leasehold.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A connection that executes what it is sent, and breaks before the answer arrives. */
final class AnswerLosing {
    private AnswerLosing() {}

    static Connection around(Connection real) {
        return proxy(Connection.class, real);
    }

    private static <T> T proxy(Class<T> type, T real) {
        Object made = Proxy.newProxyInstance(
                AnswerLosing.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object result;
                    try {
                        result = method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (method.getName().startsWith("execute")) {
                        throw new SQLException("the connection broke", "08006");
                    }
                    return result instanceof PreparedStatement statement
                            ? proxy(PreparedStatement.class, statement)
                            : result;
                });
        return type.cast(made);
    }
}
