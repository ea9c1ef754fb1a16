package dev.leasehold.jdbc;

import dev.leasehold.spi.LeaseStore;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A database for the tests of this module, started on first use and always stopped after the last
 * test.
 */
abstract class TestServer implements BeforeAllCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(TestServer.class);

    abstract void start() throws Exception;

    abstract void stop() throws Exception;

    /** The URL as a user writes it. */
    abstract String url();

    /** The URL of an empty database. */
    abstract String emptyDatabase() throws Exception;

    /** Without a pool: every connection is new. */
    abstract DataSource dataSource();

    LeaseStore openStore() {
        return new JdbcStoreProvider().create(url());
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent(getClass(), key -> running());
    }

    private AutoCloseable running() {
        try {
            start();
        } catch (Exception e) {
            throw new IllegalStateException("the test's database did not start: " + e.getMessage(), e);
        }
        return this::stop;
    }
}
