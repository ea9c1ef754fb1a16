package dev.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import redis.clients.jedis.Protocol;

/** Helpers that the tests of this package share. */
final class Fixtures {
    static final Duration LONG = Duration.ofMinutes(10);
    static final Holder ALICE = Holder.of("alice");
    static final Note REASON = Note.of("a reason");

    private Fixtures() {}

    static LeaseName freshName() {
        return LeaseName.of("job-" + UUID.randomUUID());
    }

    static AttemptId freshAttempt() {
        return AttemptId.of(UUID.randomUUID().toString());
    }

    static Grant acquire(LeaseStore store, LeaseName name) {
        Acquisition answer = store.acquire(name, freshAttempt(), ALICE, LONG);
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        return ((Acquisition.Granted) answer).grant();
    }

    static Renewal renew(LeaseStore store, Grant grant) {
        return store.renew(List.of(new RenewRequest(grant, LONG))).get(0);
    }

    /** Runs one command as an operator would type it, over its own connection. */
    static Object command(String url, Protocol.Command command, String... arguments) {
        return withClient(url, client -> {
            byte[][] bytes = new byte[arguments.length][];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = Resp.bytes(arguments[i]);
            }
            return client.call(RedisClient.Repeat.NEVER, command, bytes);
        });
    }

    static <T> T withClient(String url, Function<RedisClient, T> use) {
        try (RedisClient client = RedisClient.connect(url)) {
            return use.apply(client);
        }
    }
}
