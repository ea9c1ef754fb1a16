package dev.leasehold.redis;

import static dev.leasehold.redis.Fixtures.ALICE;
import static dev.leasehold.redis.Fixtures.LONG;
import static dev.leasehold.redis.Fixtures.REASON;
import static dev.leasehold.redis.Fixtures.acquire;
import static dev.leasehold.redis.Fixtures.command;
import static dev.leasehold.redis.Fixtures.freshAttempt;
import static dev.leasehold.redis.Fixtures.freshName;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Protocol;

/** A cluster node rejects scripts whose keys are not in the same slot. */
class RedisClusterTest {
    private static final int SLOTS = 16384;

    @Test
    void everyStepKeepsToOneSlot() throws Exception {
        try (RedisProcess node = RedisProcess.start("--cluster-enabled", "yes")) {
            giveAllSlotsTo(node.url());
            try (LeaseStore store = RedisLeaseStore.create(node.url());
                    RedisClient client = RedisClient.connect(node.url())) {
                Grant one = acquire(store, freshName());
                Grant two = acquire(store, freshName());
                assertThat(store.renew(List.of(new RenewRequest(one, LONG), new RenewRequest(two, LONG))))
                        .allMatch(Renewal.Renewed.class::isInstance);
                store.progress(one, REASON, null);
                assertThat(store.release(one, Duration.ZERO)).isInstanceOf(Release.Released.class);
                store.intervene(Intervention.cancel(two.name(), freshAttempt(), ALICE, REASON));
                assertThat(store.list("", "", 10)).hasSize(2);
                assertThat(store.register().compareAndSet("key", CasRegister.ABSENT, "value"))
                        .isTrue();
                assertThat(store.register().keys("", "", 10)).containsExactly("key");
                for (String key : List.of("plain", "{tag}:value", "user{1}{2}")) {
                    assertThat(RedisFence.at(client, key).admitOnce(one, RedisWrite.string("x")))
                            .as("fence of %s", key)
                            .isInstanceOf(Admission.Admitted.class);
                }
            }
        }
    }

    private static void giveAllSlotsTo(String url) throws InterruptedException {
        String[] arguments = IntStream.range(-1, SLOTS)
                .mapToObj(slot -> slot < 0 ? "ADDSLOTS" : Integer.toString(slot))
                .toArray(String[]::new);
        command(url, Protocol.Command.CLUSTER, arguments);
        for (int i = 0; i < 1000; i++) {
            if (Resp.text(command(url, Protocol.Command.CLUSTER, "INFO")).contains("cluster_state:ok")) {
                return;
            }
            Thread.sleep(10);
        }
        throw new AssertionError("the cluster did not come up");
    }
}
