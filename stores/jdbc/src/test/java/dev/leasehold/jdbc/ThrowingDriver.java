package dev.leasehold.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.logging.Logger;

/**
 * A driver whose k-th call throws, for connections that Leasehold opens and closes itself. One per
 * process.
 */
public final class ThrowingDriver implements Driver {
    static volatile String DATABASE = "";

    private static final AtomicInteger CALLS = new AtomicInteger();
    private static final Set<Connection> OPEN = ConcurrentHashMap.newKeySet();
    private static volatile int failAt = Integer.MAX_VALUE;
    private static volatile boolean after;
    private static volatile Supplier<Throwable> fault = AssertionError::new;

    static void failAt(int call, boolean afterIt, Supplier<Throwable> what) {
        CALLS.set(0);
        after = afterIt;
        fault = what;
        failAt = call;
    }

    /** Returns whether it threw. */
    static boolean heal() {
        boolean threw = CALLS.get() >= failAt;
        failAt = Integer.MAX_VALUE;
        return threw;
    }

    static int open() {
        return OPEN.size();
    }

    private interface Call {
        Object make() throws Throwable;
    }

    private static Object guarded(Call call) throws Throwable {
        boolean throwsNow = CALLS.incrementAndGet() == failAt;
        if (throwsNow && !after) {
            throw fault.get();
        }
        Object result = call.make();
        if (throwsNow) {
            throw fault.get();
        }
        return result;
    }

    private static <T> T proxy(Class<T> type, Object real) {
        return type.cast(Proxy.newProxyInstance(
                ThrowingDriver.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (real instanceof Connection connection
                            && method.getName().equals("close")) {
                        // The caller has closed the connection, even if the driver throws.
                        connection.close();
                        OPEN.remove(connection);
                    }
                    return guarded(() -> {
                        try {
                            Object result = method.invoke(real, arguments);
                            return result instanceof Statement || result instanceof ResultSet
                                    ? proxy(method.getReturnType(), result)
                                    : result;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
                }));
    }

    @Override
    public Connection connect(String url, Properties info) throws SQLException {
        Connection real = DriverManager.getConnection(DATABASE, "sa", "");
        OPEN.add(real);
        return proxy(Connection.class, real);
    }

    @Override
    public boolean acceptsURL(String url) {
        return true;
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }
}
