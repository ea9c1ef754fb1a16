package dev.leasehold.bench;

import dev.leasehold.Leases;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.redis.RedisLeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;
import redis.embedded.RedisServer;

/** Leasehold in Redis against the least that a lock can be and against other locks, on one server that keeps nothing. */
final class RedisBench {
    private static final String LIMIT = "two small scripts";
    private static final String WIDE = "the same with a history";
    private static final String OURS = "Leasehold";
    private static final String ENGINE = "Leasehold, renewed";
    private static final String SHEDLOCK = "ShedLock, Jedis (no token)";
    private static final String REDISSON = "Redisson RFencedLock";
    private static final int LEASES = 10_000;

    private final String url;
    private final UnifiedJedis jedis;
    private final RedissonClient redisson;
    private final Targets targets = new Targets();

    private RedisBench(String url, UnifiedJedis jedis, RedissonClient redisson) {
        this.url = url;
        this.jedis = jedis;
        this.redisson = redisson;
    }

    static void run(Path directory) throws Exception {
        int port = freePort();
        RedisServer server = RedisServer.newRedisServer()
                .port(port)
                .bind("127.0.0.1")
                .setting("dir " + directory)
                .setting("save \"\"")
                .build();
        server.start();
        String url = "redis://127.0.0.1:" + port;
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(16);
        pool.setMaxIdle(16);
        RedissonClient redisson = redisson(url);
        try (UnifiedJedis jedis = RedisClient.builder()
                .hostAndPort("127.0.0.1", port)
                .poolConfig(pool)
                .build()) {
            new RedisBench(url, jedis, redisson).run();
        } finally {
            redisson.shutdown();
            server.stop();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static RedissonClient redisson(String url) {
        Config config = new Config();
        config.useSingleServer().setAddress(url);
        return Redisson.create(config);
    }

    private void run() throws Exception {
        Outcome one = pairs(1, 2000, 15);
        Outcome eight = pairs(8, 8000, 15);
        renewal();
        Outcome wakeUp = wakeUp();
        new RedisManyRecords(url, jedis, targets).run();
        targets.print();
        List<String> all = List.of(LIMIT, WIDE, OURS, ENGINE, SHEDLOCK, REDISSON);
        new BarChart("Redis: acquire and release", "one server, one machine, one run; bench/run redis")
                .rates("1 thread, pairs a second", one, all)
                .rates("8 threads, pairs a second", eight, all)
                .times(
                        "release to waiter's grant (shorter is better)",
                        wakeUp,
                        List.of("a round trip (PING)", OURS, REDISSON))
                .write(Path.of("docs/benchmarks-redis.svg"));
    }

    private Outcome pairs(int threads, int times, int rounds) throws Exception {
        RedisLocks locks = new RedisLocks(jedis);
        Pair plain = locks.plain();
        Pair wide = locks.plainWithHistory();
        Pair shedLock = locks.shedLock();
        Pair fenced = RedisLocks.redisson(redisson);
        try (Leases leases = leases()) {
            Pair ours = Pair.leasehold(leases.store(), RedisLocks.TTL);
            Pair engine = Pair.leasehold(leases);
            String on = threads == 1 ? "1 thread" : threads + " threads";
            Outcome outcome = new SideBySide("Redis, acquire + release, " + on, times, rounds)
                    .addOnThreads(LIMIT, threads, plain::onThread)
                    .addOnThreads(WIDE, threads, wide::onThread)
                    .addOnThreads(OURS, threads, ours::onThread)
                    .addOnThreads(ENGINE, threads, engine::onThread)
                    .addOnThreads(SHEDLOCK, threads, shedLock::onThread)
                    .addOnThreads(REDISSON, threads, fenced::onThread)
                    .run();
            String work = "Redis acquire + release, " + on + ": rate against ";
            targets.atLeast(work + LIMIT, 0.9, outcome.speed(OURS, LIMIT));
            if (threads > 1) {
                targets.atLeast(work + REDISSON, 3, outcome.speed(OURS, REDISSON));
            }
            return outcome;
        }
    }

    private Leases leases() {
        return Leases.over(RedisLeaseStore.open(url))
                .terms(LeaseTerms.ofTtl(RedisLocks.TTL))
                .build();
    }

    private void renewal() throws Exception {
        RedisLocks locks = new RedisLocks(jedis);
        for (int i = 0; i < LEASES; i++) {
            locks.hold("held-" + i, "me");
        }
        try (RedisLeaseStore store = RedisLeaseStore.open(url)) {
            List<RenewRequest> held = HeldLeases.acquire(store, LEASES);
            String each = "one small script a lease";
            Outcome outcome = new SideBySide("Redis, renewal of " + LEASES + " held leases", 1, 9)
                    .warmUp(2)
                    .add(each, times -> {
                        for (int i = 0; i < LEASES; i++) {
                            locks.extend("held-" + i, "me");
                        }
                    })
                    .addTimed(OURS, times -> HeldLeases.medianRenewal(store, held))
                    .run();
            targets.atLeast(
                    "Redis renewal of " + LEASES + " leases against one script each", 20, outcome.speed(OURS, each));
        }
    }

    private Outcome wakeUp() throws Exception {
        LeaseTerms terms = LeaseTerms.ofTtl(RedisLocks.TTL);
        RedissonClient waiting = redisson(url);
        try (Leases holder = leases();
                Leases waiter = leases()) {
            Handover ours = Handover.leasehold(holder, waiter, terms);
            Handover theirs = RedisLocks.redisson(redisson, waiting);
            String roundTrip = "a round trip (PING)";
            Outcome outcome = new SideBySide("Redis, release to the waiter's grant", 4, 40)
                    .add(roundTrip, times -> {
                        for (int i = 0; i < times; i++) {
                            jedis.ping();
                        }
                    })
                    .addTimed(OURS, ours::micros)
                    .addTimed(REDISSON, theirs::micros)
                    .run();
            targets.atMost("Redis wake-up, in round trips", 3, outcome.speed(roundTrip, OURS));
            targets.atLeast("Redis wake-up, speed against " + REDISSON, 1, outcome.speed(OURS, REDISSON));
            return outcome;
        } finally {
            waiting.shutdown();
        }
    }
}
