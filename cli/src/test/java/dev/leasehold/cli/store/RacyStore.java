package dev.leasehold.cli.store;

import dev.leasehold.spi.ConnectedRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.StoreProvider;
import dev.leasehold.store.CasLeaseStore;
import dev.leasehold.store.FileLeaseStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A store for a command in another process that checks first and writes afterwards, as many homemade locks do. */
public final class RacyStore implements StoreProvider {
    static final String SCHEME = "racy:";

    @Override
    public List<String> schemes() {
        return List.of("racy");
    }

    @Override
    public LeaseStore open(String url) {
        return CasLeaseStore.open(register(url), url);
    }

    @Override
    public LeaseStore create(String url) {
        return CasLeaseStore.over(register(url));
    }

    private static RacyRegister register(String url) {
        return new RacyRegister(FileLeaseStore.create(Path.of(url.substring(SCHEME.length()))));
    }

    /** Its single steps are those of a file store, and are not atomic together. */
    private record RacyRegister(FileLeaseStore files) implements ConnectedRegister {
        private static final Duration BETWEEN_CHECK_AND_WRITE = Duration.ofMillis(1);

        @Override
        public Reading read(String key) {
            return files.register().read(key);
        }

        @Override
        public boolean compareAndSet(String key, String expected, String value) {
            if (!read(key).version().equals(expected)) {
                return false;
            }
            LockSupport.parkNanos(BETWEEN_CHECK_AND_WRITE.toNanos());
            while (!files.register().compareAndSet(key, read(key).version(), value)) {
                Thread.onSpinWait();
            }
            return true;
        }

        @Override
        public boolean remove(String key, String expected) {
            return files.register().remove(key, expected);
        }

        @Override
        public List<String> keys(String prefix, String after, int limit) {
            return files.register().keys(prefix, after, limit);
        }

        @Override
        public void close() {
            files.close();
        }
    }
}
