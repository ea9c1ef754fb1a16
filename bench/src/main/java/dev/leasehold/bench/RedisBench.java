package dev.leasehold.bench;

import dev.leasehold.Leases;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.redis.RawScripts;
import dev.leasehold.redis.RedisLeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;
import redis.embedded.RedisServer;

/**
 * Leasehold in Redis against a minimal lock and against other libraries, on one server without
 * persistence.
 */
final class RedisBench {
    private static final String LIMIT = "two small scripts";
    private static final String SAME = "two small scripts, Leasehold's sockets";
    private static final String WIDE = "two small scripts with history";
    private static final String OURS = "Leasehold";
    private static final String ENGINE = "Leasehold with renewal";
    private static final String SHEDLOCK = "ShedLock, Jedis (no token)";
    private static final String REDISSON = "Redisson RFencedLock";
    private static final String PING = "a round trip (PING)";
    private static final String PUB_SUB = "a message to another thread";
    private static final int LEASES = 10_000;

    /** Per contender: with fewer, the slower half of them runs code that is not compiled yet. */
    private static final int WARM_UP_PAIRS = 12_000;

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

    static int freePort() throws IOException {
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
        Measurement one;
        try (CorePinning core =
                new CorePinning(serverPid(jedis), ProcessHandle.current().pid())) {
            one = pairs(1, "1 thread, client and server on one core", 400, 40);
        }
        Measurement eight = pairs(8, "8 threads", 4000, 30);
        compareWithPeers("1 thread, one core", one);
        compareWithPeers("8 threads", eight);
        targets.atLeast("Redis acquire + release, 8 threads: rate against " + REDISSON, 3, eight.speed(OURS, REDISSON));
        renewal();
        Measurement wakeUp = wakeUp();
        new RedisManyRecords(url, jedis, targets).run();
        targets.print();
        List<String> all = List.of(LIMIT, SAME, WIDE, OURS, ENGINE, SHEDLOCK, REDISSON);
        new BarChart("Redis: acquire and release", "one server, one machine, one run; bench/run redis")
                .rates("1 thread, client and server on one core, pairs per second", one, all)
                .rates("8 threads, pairs per second", eight, all)
                .times("release to waiter's grant (shorter is better)", wakeUp, List.of(PING, PUB_SUB, OURS, REDISSON))
                .write(Path.of("docs/benchmarks-redis.svg"));
    }

    static long serverPid(UnifiedJedis jedis) {
        String info = jedis.info("server");
        int start = info.indexOf("process_id:") + "process_id:".length();
        return Long.parseLong(info.substring(start, info.indexOf('\r', start)));
    }

    private Measurement pairs(int threads, String on, int times, int rounds) throws Exception {
        RedisLocks locks = new RedisLocks(jedis);
        try (Leases leases = leases();
                RawScripts scripts = new RawScripts(url)) {
            Map<String, AcquireRelease> contenders = new LinkedHashMap<>();
            contenders.put(LIMIT, locks.plain());
            contenders.put(SAME, locks.plainOver(scripts));
            contenders.put(WIDE, locks.plainWithHistory());
            contenders.put(OURS, AcquireRelease.leasehold(leases.store(), RedisLocks.TTL));
            contenders.put(ENGINE, AcquireRelease.leasehold(leases));
            contenders.put(SHEDLOCK, locks.shedLock());
            contenders.put(REDISSON, RedisLocks.redisson(redisson));
            Comparison race =
                    new Comparison("Redis, acquire + release, " + on, times, rounds).warmUp(WARM_UP_PAIRS / times);
            CpuTime cost = new CpuTime(serverPid(jedis), threads, 10_000);
            contenders.forEach((name, pair) -> {
                race.addOnThreads(name, threads, pair::onThread);
                cost.add(name, pair);
            });
            Measurement outcome = race.run();
            if (threads > 1) {
                cost.run("Redis, acquire + release, " + on);
            }
            return outcome;
        }
    }

    private void compareWithPeers(String on, Measurement outcome) {
        String work = "Redis acquire + release, " + on + ": rate against ";
        for (String limit : List.of(LIMIT, SAME, WIDE)) {
            targets.atLeast(work + limit, 0.9, outcome.speed(OURS, limit));
        }
    }

    private Leases leases() {
        return Leases.over(RedisLeaseStore.create(url))
                .terms(LeaseTerms.ofTtl(RedisLocks.TTL))
                .build();
    }

    private void renewal() throws Exception {
        RedisLocks locks = new RedisLocks(jedis);
        for (int i = 0; i < LEASES; i++) {
            locks.hold("held-" + i, "me");
        }
        try (RedisLeaseStore store = RedisLeaseStore.create(url)) {
            List<RenewRequest> held = HeldLeases.acquire(store, LEASES);
            String each = "one small script per lease";
            Measurement outcome = new Comparison("Redis, renewal of " + LEASES + " held leases", 1, 9)
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

    private Measurement wakeUp() throws Exception {
        LeaseTerms terms = LeaseTerms.ofTtl(RedisLocks.TTL);
        RedissonClient waiting = redisson(url);
        try (Leases holder = leases();
                Leases waiter = leases();
                PubSubRoundTrip pubSub = new PubSubRoundTrip(jedis)) {
            Handover ours = Handover.leasehold(holder, waiter, terms);
            Handover theirs = RedisLocks.redisson(redisson, waiting);
            Comparison.Work ping = times -> {
                for (int i = 0; i < times; i++) {
                    jedis.ping();
                }
            };
            Measurement outcome = new Comparison("Redis, release to the waiter's grant", 1, 150)
                    .warmUp(50)
                    .addTimed(PING, Handover.afterAPause(ping))
                    .addTimed(PUB_SUB, Handover.afterAPause(times -> pubSub.pass()))
                    .addTimed("a round trip (PING), no pause before it", times -> hundredth(ping))
                    .addTimed(OURS, ours::micros)
                    .addTimed(REDISSON, theirs::micros)
                    .run();
            targets.atMost("Redis wake-up, in round trips (PING)", 3, outcome.speed(PING, OURS));
            targets.atMost("Redis wake-up, in messages to another thread", 3, outcome.speed(PUB_SUB, OURS));
            targets.atLeast("Redis wake-up, speed against " + REDISSON, 1, outcome.speed(OURS, REDISSON));
            return outcome;
        } finally {
            waiting.shutdown();
        }
    }

    private static double hundredth(Comparison.Work step) throws Exception {
        long began = System.nanoTime();
        step.repeat(100);
        return (System.nanoTime() - began) / 100_000.0;
    }
}
