package dev.leasehold.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A user's pool over a real database whose driver throws at the k-th call: before the call takes
 * effect, or after it, as when the answer is lost. Returned connections keep their state, as in
 * pools that reset nothing.
 */
final class FaultyJdbc extends DelegatingDataSource implements AutoCloseable {
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger inUse = new AtomicInteger();
    private final Connection only;
    private final boolean autoCommit;
    private volatile int failAt = Integer.MAX_VALUE;
    private volatile boolean after;
    private volatile Supplier<Throwable> fault = AssertionError::new;
    private volatile String failedCall = "";

    /** @param autoCommit the pool's default */
    FaultyJdbc(DataSource source, boolean autoCommit) throws SQLException {
        super(source);
        this.autoCommit = autoCommit;
        this.only = source.getConnection();
        only.setAutoCommit(autoCommit);
    }

    void failAt(int call, boolean afterIt, Supplier<Throwable> what) {
        calls.set(0);
        failedCall = "";
        after = afterIt;
        fault = what;
        failAt = call;
    }

    /** The call that threw, or an empty text if there were fewer calls. */
    String heal() {
        failAt = Integer.MAX_VALUE;
        return failedCall;
    }

    int inUse() {
        return inUse.get();
    }

    /**
     * Whether the connection is as the pool's other users expect it. Restores it for the next try.
     */
    boolean isAsBefore() throws SQLException {
        boolean same = only.getAutoCommit() == autoCommit;
        if (!same) {
            only.setAutoCommit(autoCommit);
        }
        return same;
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            return (Connection) guarded("getConnection", () -> {
                inUse.incrementAndGet();
                return proxy(Connection.class, only);
            });
        } catch (SQLException | RuntimeException | Error e) {
            // A connection that the pool itself failed to open was never handed out.
            inUse.set(0);
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private interface Call {
        Object make() throws Throwable;
    }

    private Object guarded(String name, Call call) throws Throwable {
        boolean fails = calls.incrementAndGet() == failAt;
        if (fails) {
            failedCall = name + (after ? ", after it" : "");
            if (!after) {
                throw fault.get();
            }
        }
        Object result = call.make();
        if (fails) {
            throw fault.get();
        }
        return result;
    }

    private <T> T proxy(Class<T> type, Object real) {
        Object made = Proxy.newProxyInstance(
                FaultyJdbc.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answer(proxy, real, method, arguments));
        return type.cast(made);
    }

    private Object answer(Object proxy, Object real, Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (method.getDeclaringClass() == Object.class) {
            return switch (name) {
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == arguments[0];
                default -> "faulty " + real;
            };
        }
        boolean returned = real == only && (name.equals("close") || name.equals("abort"));
        if (returned) {
            inUse.decrementAndGet();
        }
        return guarded(name, () -> returned ? null : wrapped(method, invoke(real, method, arguments)));
    }

    private static Object invoke(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Object wrapped(Method method, Object result) {
        List<Class<?>> kinds = List.of(Statement.class, ResultSet.class, DatabaseMetaData.class);
        boolean wraps = result != null && kinds.stream().anyMatch(kind -> kind.isInstance(result));
        return wraps ? proxy(method.getReturnType(), result) : result;
    }

    @Override
    public void close() throws SQLException {
        only.close();
    }
}
