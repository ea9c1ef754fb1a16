package dev.leasehold.nats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Stores;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.environment.Requires;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.KeyValueConfiguration;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Buckets that somebody else made. Each setting that may lose a token is warned of. */
@Requires("nats-server")
@ExtendWith(SharedNats.class)
class NatsWarningsTest {
    private final String bucket = "made-" + UUID.randomUUID();
    private Connection administrator;

    @BeforeEach
    void connect() throws Exception {
        administrator = Nats.connect("nats://127.0.0.1:" + SharedNats.server().port());
    }

    @AfterEach
    void close() throws Exception {
        administrator.close();
    }

    @Test
    void memoryStorage() throws Exception {
        administrator
                .jetStreamManagement()
                .addStream(bucket().storageType(StorageType.Memory).build());
        assertWarned("memory", "loses every token");
    }

    @Test
    void replicasThatAnswerReads() throws Exception {
        administrator.jetStreamManagement().addStream(bucket().allowDirect(true).build());
        assertWarned("allow_direct", "turn that off");
    }

    @Test
    void timeToLive() throws Exception {
        administrator
                .jetStreamManagement()
                .addStream(bucket().maxAge(Duration.ofDays(1)).build());
        assertWarned("ttl", "tokens are issued again");
    }

    /** A full bucket that refuses writes loses nothing. */
    @Test
    void limitThatRefusesWritesIsNoReasonToWarn() throws Exception {
        administrator
                .jetStreamManagement()
                .addStream(bucket().maxMessages(1000).maxBytes(1 << 20).build());
        try (LeaseStore store = Stores.create(url())) {
            assertThat(store.warnings()).isEmpty();
        }
    }

    @Test
    void limitThatRemovesTheOldestKey() throws Exception {
        administrator
                .jetStreamManagement()
                .addStream(bucket().maxMessages(1000)
                        .discardPolicy(DiscardPolicy.Old)
                        .build());
        assertWarned("oldest keys", "tokens are issued again", "discard to new");
    }

    /** As {@code nats kv add} makes it. */
    @Test
    void bucketOfTheTools() throws Exception {
        administrator
                .keyValueManagement()
                .create(KeyValueConfiguration.builder().name(bucket).build());
        assertWarned("allow_direct");
    }

    private StreamConfiguration.Builder bucket() {
        return StreamConfiguration.builder()
                .name("KV_" + bucket)
                .subjects("$KV." + bucket + ".>")
                .maxMessagesPerSubject(1)
                .discardPolicy(DiscardPolicy.New)
                .allowRollup(true)
                .denyDelete(true);
    }

    private void assertWarned(String... parts) {
        try (LeaseStore store = Stores.create(url())) {
            assertThat(store.warnings()).singleElement().asString().contains(parts);
        }
    }

    private String url() {
        return SharedNats.server().url(bucket);
    }
}
