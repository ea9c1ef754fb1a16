package dev.leasehold.redis;

import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One server for all tests that do not damage it, started with the first of them and stopped after
 * the last.
 */
final class SharedRedis implements BeforeAllCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedRedis.class);
    private static RedisProcess server;

    static String url() {
        return Objects.requireNonNull(server, "the test class is not extended with this")
                .url();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        // JUnit closes what is in the root's store at the end of all tests.
        server = context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(RedisProcess.class, key -> start(), RedisProcess.class);
    }

    private static RedisProcess start() {
        try {
            return RedisProcess.start();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("no Redis for the tests", e);
        }
    }
}
