package dev.leasehold.redis;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.store.RegisterRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Small values with versions, beside the leases. Compare and set is one script. Safe for use by many threads. */
final class RedisRegister implements CasRegister {
    private final RedisClient client;
    private final RedisKeys keys;
    private final Script read = new Script(RedisClient.Repeat.SAFE, "register-read");
    // Sent again after it had taken effect, these would answer that nothing was changed.
    private final Script set = new Script(RedisClient.Repeat.NEVER, "register-set");
    private final Script remove = new Script(RedisClient.Repeat.NEVER, "register-remove");

    RedisRegister(RedisClient client, RedisKeys keys) {
        this.client = client;
        this.keys = keys;
    }

    @Override
    public Reading read(String key) {
        RegisterRules.requireKey(key);
        Object answer = read.run(client, new RedisArguments(1, 1).add(keys.entry(key)));
        return client.failures().understood(() -> reading(Resp.list(answer)));
    }

    private static Reading reading(List<@Nullable Object> answer) {
        Instant at = Resp.instant(Resp.number(answer.get(0)));
        String version = Resp.optionalText(answer.get(1));
        return version == null ? Reading.absent(at) : new Reading(Optional.of(Resp.text(answer.get(2))), version, at);
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        RegisterRules.requireKey(key);
        RegisterRules.requireValue(value);
        RedisArguments arguments = new RedisArguments(3, 6)
                .add(keys.entry(key))
                .add(keys.entries())
                .add(keys.versions())
                .add(key)
                .add(expected)
                .add(value);
        return Resp.number(set.run(client, arguments)) == 1;
    }

    @Override
    public boolean remove(String key, String expected) {
        RegisterRules.requireKey(key);
        RedisArguments arguments = new RedisArguments(2, 4)
                .add(keys.entry(key))
                .add(keys.entries())
                .add(key)
                .add(expected);
        return Resp.number(remove.run(client, arguments)) == 1;
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return SortedIndex.page(client, keys.entries(), prefix, after, limit);
    }
}
