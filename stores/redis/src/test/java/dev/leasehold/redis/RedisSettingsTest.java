package dev.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.LeaseStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Settings that can lose a token are reported, one sentence each, with the remedy. */
class RedisSettingsTest {
    @Test
    void durableServerWithoutReplicasCausesNoWarning() throws Exception {
        assertThat(warnings("--appendonly", "yes", "--appendfsync", "always")).isEmpty();
    }

    @Test
    void serverWithoutAppendOnlyFileCausesAWarning() throws Exception {
        assertThat(warnings()).singleElement().asString().contains("appendonly yes", "leasehold repair");
    }

    @Test
    void serverThatSyncsLaterCausesAWarning() throws Exception {
        assertThat(warnings("--appendonly", "yes", "--appendfsync", "everysec"))
                .singleElement()
                .asString()
                .contains("once a second", "appendfsync always");
        assertThat(warnings("--appendonly", "yes", "--appendfsync", "no"))
                .singleElement()
                .asString()
                .contains("appendfsync always");
    }

    @Test
    void evictionOfCountersCausesAWarning() throws Exception {
        assertThat(warnings("--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "allkeys-lru"))
                .singleElement()
                .asString()
                .contains("allkeys-lru", "counters");
        assertThat(warnings("--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "volatile-lru"))
                .isEmpty();
    }

    @Test
    void attachedReplicaCausesAWarning() throws Exception {
        try (RedisProcess primary = RedisProcess.start("--appendonly", "yes", "--appendfsync", "always");
                LeaseStore store = RedisLeaseStore.create(primary.url());
                RedisProcess replica =
                        RedisProcess.start("--replicaof", "127.0.0.1", Integer.toString(primary.port()))) {
            List<String> warnings = store.warnings();
            for (int i = 0; i < 1000 && warnings.isEmpty(); i++) {
                Thread.sleep(10);
                warnings = store.warnings();
            }
            assertThat(warnings).singleElement().asString().contains("1 replica", "promoted");
        }
    }

    private static List<String> warnings(String... settings) throws Exception {
        try (RedisProcess server = RedisProcess.start(settings);
                LeaseStore store = RedisLeaseStore.create(server.url())) {
            return store.warnings();
        }
    }
}
