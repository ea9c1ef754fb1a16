package dev.leasehold.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.jdbc.JdbcLeaseStore;
import dev.leasehold.redis.RedisLeaseStore;
import dev.leasehold.spi.LeaseStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;
import redis.embedded.RedisServer;

/** Many callers at the same moment: Leasehold combines their steps, and the limit sends each alone. */
final class ManyBench {
    private static final String OURS = "Leasehold";
    private static final int CONNECTIONS = 16;
    private static final int[] CALLERS = {1, 8, 64, 256};
    private static final int ROUNDS = Integer.getInteger("leasehold.bench.rounds", 15);

    /** Per contender: a service runs for long, so what counts is its compiled code. */
    private static final int WARM_UP_PAIRS = 60_000;

    private final Targets targets = new Targets();

    private ManyBench() {}

    static void run(Path directory) throws Exception {
        ManyBench bench = new ManyBench();
        printLoad();
        bench.postgres(Files.createDirectory(directory.resolve("postgresql")));
        bench.redis(Files.createDirectory(directory.resolve("redis")));
        printLoad();
        bench.targets.print();
    }

    /** What else the machine does: a figure from a busy machine is worth less. */
    private static void printLoad() throws IOException {
        System.out.println("load of the machine: "
                + Files.readString(Path.of("/proc/loadavg")).strip());
    }

    private void postgres(Path directory) throws Exception {
        try (EmbeddedPostgres server = PostgresBench.durable(directory);
                HikariDataSource pool = PostgresBench.pool(server, "public", CONNECTIONS);
                LeaseStore store = JdbcLeaseStore.create(pool)) {
            PostgresLocks.createTables(pool);
            long pid = Long.parseLong(
                    Files.readAllLines(directory.resolve("postmaster.pid")).get(0));
            AcquireRelease plain = PostgresLocks.plain(pool);
            AcquireRelease ours = AcquireRelease.leasehold(store, PostgresLocks.TTL);
            for (int callers : CALLERS) {
                double wanted = callers >= 256 ? 4 : callers >= 64 ? 3 : 1;
                race(new Race("PostgreSQL", "two plain statements", callers, pairs(callers), wanted), pid, plain, ours);
            }
        }
    }

    private void redis(Path directory) throws Exception {
        int port = RedisBench.freePort();
        RedisServer server = RedisServer.newRedisServer()
                .port(port)
                .bind("127.0.0.1")
                .setting("dir " + directory)
                .setting("save \"\"")
                .build();
        server.start();
        ConnectionPoolConfig config = new ConnectionPoolConfig();
        config.setMaxTotal(CONNECTIONS);
        config.setMaxIdle(CONNECTIONS);
        try (UnifiedJedis jedis = RedisClient.builder()
                        .hostAndPort("127.0.0.1", port)
                        .poolConfig(config)
                        .build();
                LeaseStore store = RedisLeaseStore.create("redis://127.0.0.1:" + port)) {
            long pid = RedisBench.serverPid(jedis);
            AcquireRelease plain = new RedisLocks(jedis).plain();
            AcquireRelease ours = AcquireRelease.leasehold(store, RedisLocks.TTL);
            for (int callers : CALLERS) {
                double wanted = callers >= 256 ? 1.3 : callers >= 64 ? 1 : 0.9;
                race(new Race("Redis", "two small scripts", callers, 2 * pairs(callers), wanted), pid, plain, ours);
            }
        } finally {
            server.stop();
        }
    }

    /**
     * One comparison.
     *
     * @param pairs of acquire and release in a round, of all callers together
     * @param wanted how many times as fast as the limit Leasehold is to be
     */
    private record Race(String store, String limit, int callers, int pairs, double wanted) {
        int warmUpRounds() {
            return Math.max(1, WARM_UP_PAIRS / pairs / (callers == 1 ? 4 : 1));
        }

        Measurement run(String title, int rounds, AcquireRelease plain, AcquireRelease ours) throws Exception {
            return new Comparison(title + ", acquire + release of " + callers + " caller(s)", pairs, rounds)
                    .warmUp(0)
                    .addOnThreads(limit, callers, plain::onThread)
                    .addOnThreads(OURS, callers, ours::onThread)
                    .run();
        }
    }

    private void race(Race race, long serverPid, AcquireRelease plain, AcquireRelease ours) throws Exception {
        Latencies ofPlain = new Latencies();
        Latencies ofOurs = new Latencies();
        race.run(race.store + ", warming up", race.warmUpRounds(), plain, ours);
        Measurement outcome = race.run(race.store, ROUNDS, ofPlain.of(plain), ofOurs.of(ours));
        ofPlain.print(race.limit);
        ofOurs.print(OURS);
        new CpuTime(serverPid, race.callers, race.pairs)
                .add(race.limit, plain)
                .add(OURS, ours)
                .run(race.store + ", acquire + release of " + race.callers + " caller(s)");
        String work = race.store + " acquire + release, " + race.callers + " caller(s): ";
        targets.atLeast(work + "rate against " + race.limit, race.wanted, outcome.speed(OURS, race.limit));
        if (race.callers >= 64 && race.store.equals("PostgreSQL")) {
            targets.atMost(
                    work + "99th percentile against " + race.limit,
                    1 / 3.0,
                    ofOurs.millis(0.99) / ofPlain.millis(0.99));
        }
    }

    /** With many callers, enough that starting and ending their threads does not count. */
    private static int pairs(int callers) {
        return callers == 1 ? 160 : 100 * callers;
    }
}
