package dev.leasehold.bench;

import dev.leasehold.redis.RawScripts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.provider.redis.jedis4.JedisLockProvider;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RFencedLock;
import org.redisson.api.RedissonClient;
import redis.clients.jedis.UnifiedJedis;

/** Other libraries' locks in Redis, and a minimal lock with a counter. */
final class RedisLocks {
    static final Duration TTL = Duration.ofSeconds(90);

    private static final String ACQUIRE =
            "if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return redis.call('INCR', KEYS[2]) end"
                    + " return 0";
    private static final String RELEASE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";
    private static final String EXTEND =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0";

    /** The limit plus the clock, holder and time, and a history. */
    private static final String ACQUIRE_WITH_HISTORY =
            """
            local time = redis.call('TIME')
            local now = time[1] * 1000000 + time[2]
            local lock = redis.call('GET', KEYS[1])
            local token, deadline = 0, 0
            if lock then token, deadline = string.match(lock, '^(%d+) (%d+)') end
            if tonumber(deadline) > now then return 0 end
            local line = string.format('%.0f %.0f ', token + 1, now + ARGV[2] * 1000) .. ARGV[1]
            redis.call('SET', KEYS[1], line)
            redis.call('LPUSH', KEYS[2], line)
            return token + 1""";

    private static final String GIVE_BACK_WITH_HISTORY =
            """
            local time = redis.call('TIME')
            local token, deadline, owner = string.match(redis.call('GET', KEYS[1]), '^(%d+) (%d+) (.+)$')
            if owner ~= ARGV[1] or tonumber(deadline) <= time[1] * 1000000 + time[2] then return 0 end
            redis.call('SET', KEYS[1], token .. ' 0 ' .. owner)
            return 1""";

    private final UnifiedJedis jedis;
    private final String take;
    private final String giveBack;
    private final String extend;
    private final String takeWithHistory;
    private final String giveBackWithHistory;

    RedisLocks(UnifiedJedis jedis) {
        this.jedis = jedis;
        this.take = jedis.scriptLoad(ACQUIRE);
        this.giveBack = jedis.scriptLoad(RELEASE);
        this.extend = jedis.scriptLoad(EXTEND);
        this.takeWithHistory = jedis.scriptLoad(ACQUIRE_WITH_HISTORY);
        this.giveBackWithHistory = jedis.scriptLoad(GIVE_BACK_WITH_HISTORY);
    }

    /** The limit: one EVALSHA per step, with two commands each. */
    AcquireRelease plain() {
        return name -> {
            String owner = UUID.randomUUID().toString();
            hold(name, owner);
            require(jedis.evalsha(giveBack, List.of(key(name)), List.of(owner)));
        };
    }

    /** The limit over Leasehold's own connections instead of Jedis' pool. */
    AcquireRelease plainOver(RawScripts scripts) {
        return name -> {
            String owner = UUID.randomUUID().toString();
            String key = key(name) + ":same";
            require(scripts.run(take, "2", key, key + ":token", owner, millis()));
            require(scripts.run(giveBack, "1", key, owner));
        };
    }

    AcquireRelease plainWithHistory() {
        return name -> {
            String owner = UUID.randomUUID() + " somehost-4711-c0ffee";
            List<String> keys = List.of(key(name) + ":wide", key(name) + ":history");
            require(jedis.evalsha(takeWithHistory, keys, List.of(owner, millis())));
            require(jedis.evalsha(giveBackWithHistory, List.of(keys.get(0)), List.of(owner)));
        };
    }

    void hold(String name, String owner) {
        require(jedis.evalsha(take, List.of(key(name), key(name) + ":token"), List.of(owner, millis())));
    }

    void extend(String name, String owner) {
        require(jedis.evalsha(extend, List.of(key(name)), List.of(owner, millis())));
    }

    private static String key(String name) {
        return "{plain}:" + name;
    }

    private static String millis() {
        return Long.toString(TTL.toMillis());
    }

    private static void require(@Nullable Object answer) {
        if (!(answer instanceof Long number) || number == 0) {
            throw new IllegalStateException("another client holds the lock");
        }
    }

    /** SET NX and DEL, without a token. */
    AcquireRelease shedLock() {
        JedisLockProvider provider = new JedisLockProvider(jedis, "bench");
        return name -> provider.lock(new LockConfiguration(Instant.now(), name, TTL, Duration.ZERO))
                .orElseThrow()
                .unlock();
    }

    static AcquireRelease redisson(RedissonClient client) {
        return name -> {
            RFencedLock lock = client.getFencedLock(name);
            if (lock.tryLockAndGetToken() == null) {
                throw new IllegalStateException(name + " is busy");
            }
            lock.unlock();
        };
    }

    static Handover redisson(RedissonClient holder, RedissonClient waiter) {
        return new Handover() {
            @Override
            public AutoCloseable hold() {
                return taken(holder, 0);
            }

            @Override
            public AutoCloseable await() {
                return taken(waiter, 20);
            }
        };
    }

    private static AutoCloseable taken(RedissonClient client, long waitSeconds) {
        RFencedLock lock = client.getFencedLock("bench/handover");
        if (lock.tryLockAndGetToken(waitSeconds, TTL.toSeconds(), TimeUnit.SECONDS) == null) {
            throw new IllegalStateException("another client holds the lock");
        }
        return lock::unlock;
    }
}
