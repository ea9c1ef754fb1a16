package dev.leasehold.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.Stores;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;
import redis.embedded.RedisServer;

/** Many waiters, and many leases of one process while the server pauses. */
final class HerdBench {
    private static final int WAITERS = Integer.getInteger("leasehold.bench.waiters", 1000);
    private static final int HELD = Integer.getInteger("leasehold.bench.held", 50_000);
    private static final int FEW_CLIENTS = 4;
    private static final int CLIENTS = 20;
    private static final int MOST_CONNECTIONS = 20;
    private static final Duration PAUSE = Duration.ofSeconds(15);
    private static final LeaseTerms TERMS = LeaseTerms.ofTtl(Duration.ofMinutes(10));
    private static final LeaseTerms PAUSED_TERMS = LeaseTerms.ofTtl(Duration.ofSeconds(60));

    private final Targets targets = new Targets();

    /** What the server says about itself. */
    private interface Server {
        long statements() throws Exception;

        long connections() throws Exception;
    }

    static void run(Path directory) throws Exception {
        HerdBench bench = new HerdBench();
        bench.postgres(directory.resolve("postgres"));
        bench.redis(Files.createDirectory(directory.resolve("redis")));
        bench.targets.print();
    }

    private void postgres(Path directory) throws Exception {
        // The count of transactions in the usual statistics includes the delivery of each notification, and is ten
        // seconds late.
        String counting = "pg_stat_statements";
        try (EmbeddedPostgres server = PostgresBench.durableServer(directory)
                        .setServerConfig("shared_preload_libraries", counting)
                        .start();
                HikariDataSource pool = PostgresBench.pool(server, "public", 1)) {
            execute(pool, "create extension " + counting);
            String url = "postgresql://postgres@localhost:" + server.getPort() + "/postgres";
            Stores.create(url).close();
            herds("PostgreSQL", url, new Server() {
                @Override
                public long statements() throws Exception {
                    return number(pool, "select sum(calls) from pg_stat_statements");
                }

                @Override
                public long connections() throws Exception {
                    return number(pool, "select count(*) from pg_stat_activity where backend_type = 'client backend'");
                }
            });
        }
    }

    private static void execute(HikariDataSource pool, String statement) throws Exception {
        try (Connection connection = pool.getConnection();
                Statement it = connection.createStatement()) {
            it.execute(statement);
        }
    }

    private static long number(HikariDataSource pool, String query) throws Exception {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
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
        String url = "redis://127.0.0.1:" + port;
        try (UnifiedJedis jedis =
                RedisClient.builder().hostAndPort("127.0.0.1", port).build()) {
            Stores.create(url).close();
            herds("Redis", url, new Server() {
                @Override
                public long statements() {
                    String statistics = jedis.info("commandstats");
                    return field(statistics, "cmdstat_evalsha:calls=") + field(statistics, "cmdstat_publish:calls=");
                }

                @Override
                public long connections() {
                    return field(jedis.info("clients"), "connected_clients:");
                }
            });
            holdThroughAPause(url, field(jedis.info("server"), "process_id:"));
        } finally {
            server.stop();
        }
    }

    private static long field(String info, String name) {
        int start = info.indexOf(name) + name.length();
        int end = start;
        while (end < info.length() && Character.isDigit(info.charAt(end))) {
            end++;
        }
        return info.contains(name) ? Long.parseLong(info.substring(start, end)) : 0;
    }

    private void herds(String product, String url, Server server) throws Exception {
        double few = herd(product, url, server, 1, 20, i -> "bench/herd-few");
        double many = herd(product, url, server, 1, WAITERS, i -> "bench/herd-one");
        herd(product, url, server, 1, WAITERS, i -> "bench/herd-" + i);
        double fewClients = herd(product, url, server, FEW_CLIENTS, WAITERS, i -> "bench/herd-few-clients");
        double manyClients = herd(product, url, server, CLIENTS, WAITERS, i -> "bench/herd-clients");
        targets.atMost(product + ", statements per hand-over: " + WAITERS + " waiters against 20", 1.5, many / few);
        targets.atMost(
                product + ", statements per hand-over: " + CLIENTS + " clients against " + FEW_CLIENTS,
                1.5,
                manyClients / fewClients);
    }

    /** Returns the statements per hand-over. */
    private double herd(String product, String url, Server server, int clients, int waiters, IntFunction<String> nameOf)
            throws Exception {
        List<Leases> stores = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(waiters);
        try (Leases holder = open(url)) {
            for (int i = 0; i < clients; i++) {
                stores.add(open(url));
            }
            List<Lease> first = new ArrayList<>();
            List<Future<Double>> waiting = new ArrayList<>();
            for (int i = 0; i < waiters; i++) {
                LeaseName name = LeaseName.of(nameOf.apply(i));
                holder.tryAcquire(name, TERMS).lease().ifPresent(first::add);
                Leases leases = stores.get(i % clients);
                waiting.add(threads.submit(turn(leases, name)));
            }
            awaitQuiet(server);
            long connections = server.connections();
            long before = server.statements();
            long begun = System.nanoTime();
            first.forEach(Lease::close);
            List<Double> millis = new ArrayList<>();
            for (Future<Double> turn : waiting) {
                millis.add((turn.get() - begun) / 1e6);
            }
            double each = (server.statements() - before) / (double) waiters;
            report(product, clients, first.size(), millis.stream().sorted().toList(), each, connections);
            return each;
        } finally {
            threads.shutdownNow();
            stores.forEach(Leases::close);
        }
    }

    /** Returns when the lease was granted. */
    private static Callable<Double> turn(Leases leases, LeaseName name) {
        return () -> {
            Lease lease = leases.acquireWithin(name, TERMS, Duration.ofMinutes(5))
                    .lease()
                    .orElseThrow();
            double granted = System.nanoTime();
            lease.close();
            return granted;
        };
    }

    private static void awaitQuiet(Server server) throws Exception {
        long before = -100;
        for (long now = server.statements(); now - before > 2; now = server.statements()) {
            before = now;
            Thread.sleep(1000);
        }
    }

    private void report(
            String product, int clients, int names, List<Double> millis, double statements, long connections) {
        double median = millis.get(millis.size() / 2);
        double longest = millis.get(millis.size() - 1);
        String what = product + ", " + millis.size() + " waiters of " + clients + " client(s) on " + names + " name(s)";
        System.out.println(String.format(
                Locale.ROOT,
                "%s: %.1f statements per hand-over, waits of %.0f ms median and %.0f ms at most, %d connections",
                what,
                statements,
                median,
                longest,
                connections));
        if (names == 1) {
            targets.atMost(what + ": longest wait against the median", 3, longest / median);
        }
        targets.atMost(what + ": connections of a client", MOST_CONNECTIONS, connections / (double) clients);
    }

    private static Leases open(String url) {
        return Leases.over(Stores.open(url)).context(SystemContext.create()).build();
    }

    private void holdThroughAPause(String url, long serverPid) throws Exception {
        try (Leases leases = open(url)) {
            List<Lease> held = new ArrayList<>();
            for (int i = 0; i < HELD; i++) {
                held.add(leases.tryAcquire(LeaseName.of("bench/held-" + i), PAUSED_TERMS)
                        .lease()
                        .orElseThrow());
            }
            signal("-STOP", serverPid);
            try {
                Thread.sleep(PAUSE.toMillis());
            } finally {
                signal("-CONT", serverPid);
            }
            Thread.sleep(PAUSED_TERMS.ttl().toMillis());
            long lost = held.stream().filter(lease -> !lease.isTrusted()).count();
            System.out.println(
                    HELD + " leases of one process, Redis stopped for " + PAUSE.toSeconds() + " s: " + lost + " lost");
            targets.atMost("leases lost of " + HELD + " while Redis pauses for 15 s", 0, (double) lost);
        }
    }

    private static void signal(String which, long pid) throws Exception {
        new ProcessBuilder("kill", which, Long.toString(pid))
                .inheritIO()
                .start()
                .waitFor();
    }
}
