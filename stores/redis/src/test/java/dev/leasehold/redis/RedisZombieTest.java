package dev.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import dev.leasehold.testkit.UnreliableLink;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Protocol;

/** A write that was sent in time and arrives too late. */
@ExtendWith(SharedRedis.class)
class RedisZombieTest {
    private final String key = "artifact-" + UUID.randomUUID();

    @Test
    void writeThatArrivesAfterTheSuccessorRaisedIsRefused() throws Exception {
        int port =
                Integer.parseInt(SharedRedis.url().substring(SharedRedis.url().lastIndexOf(':') + 1));
        try (UnreliableLink link = new UnreliableLink(port);
                RedisClient zombieClient = RedisClient.connect("redis://127.0.0.1:" + link.port() + "?timeout=30s");
                RedisClient successorClient = RedisClient.connect(SharedRedis.url())) {
            RedisFence zombieFence = RedisFence.at(zombieClient, key);
            assertThat(zombieFence.admit(grant(1), RedisWrite.string("first"))).isInstanceOf(Admission.Admitted.class);

            link.hold();
            CompletableFuture<Admission> late =
                    CompletableFuture.supplyAsync(() -> zombieFence.admit(grant(1), RedisWrite.string("of a zombie")));
            link.awaitHeldBytes();
            RedisFence successorFence = RedisFence.at(successorClient, key);
            assertThat(successorFence.raise(grant(2))).isInstanceOf(Admission.Admitted.class);
            link.letGo();

            Admission answer = late.get(30, TimeUnit.SECONDS);
            assertThat(answer).isInstanceOf(Admission.Stale.class);
            assertThat(((Admission.Stale) answer).raised().value()).isEqualTo(2);
            assertThat(Resp.text(successorClient.call(RedisClient.Repeat.SAFE, Protocol.Command.GET, Resp.bytes(key))))
                    .isEqualTo("first");
        }
    }

    @Test
    void writeWithALostReplyIsUnknownAndConvergesWhenRepeated() throws Exception {
        int port =
                Integer.parseInt(SharedRedis.url().substring(SharedRedis.url().lastIndexOf(':') + 1));
        try (UnreliableLink link = new UnreliableLink(port);
                RedisClient client = RedisClient.connect("redis://127.0.0.1:" + link.port() + "?timeout=1s")) {
            RedisFence fence = RedisFence.at(client, key);
            assertThat(fence.raise(grant(1))).isInstanceOf(Admission.Admitted.class);
            link.hold();
            assertThatThrownBy(() -> fence.admitOnce(grant(1), RedisWrite.string("the one")))
                    .isInstanceOf(TargetUnavailableException.class)
                    .hasMessageContaining("it is unknown whether it was written");
            link.letGo();
            assertThat(fence.admitOnce(grant(1), RedisWrite.string("the one")))
                    .isInstanceOfAny(Admission.Admitted.class, Admission.AlreadyWritten.class);
            assertThat(fence.admitOnce(grant(1), RedisWrite.string("the one")))
                    .isInstanceOf(Admission.AlreadyWritten.class);
        }
    }

    private static Grant grant(long token) {
        return new Grant(
                LeaseName.of("nightly"),
                FencingToken.of(token),
                AttemptId.of("attempt-of-" + token),
                StoreId.of("store-of-the-test"));
    }
}
