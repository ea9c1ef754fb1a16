package dev.leasehold.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A user's pool of a few connections; further callers wait as long as in a usual pool. */
final class SmallPool extends DelegatingDataSource {
    private static final int WAIT_SECONDS = 30;

    private final int size;
    private final Semaphore permits;

    SmallPool(DataSource source, int size) {
        super(source);
        this.size = size;
        this.permits = new Semaphore(size, true);
    }

    /** Waits, because a listener's thread returns its connection shortly after its store was closed. */
    boolean areAllReturned() throws InterruptedException {
        return permits.tryAcquire(size, WAIT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            if (!permits.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new SQLTransientConnectionException("the pool is exhausted");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted", e);
        }
        Connection connection = super.getConnection();
        AtomicBoolean closed = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                SmallPool.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close") && closed.compareAndSet(false, true)) {
                        permits.release();
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
