package dev.leasehold.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.jdbc.JdbcLeaseStore;
import dev.leasehold.spi.LeaseStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Many callers at the same moment: Leasehold combines their steps, and the limit sends each alone. */
final class ManyBench {
    private static final String LIMIT = "two plain statements";
    private static final String OURS = "Leasehold";
    private static final int CONNECTIONS = 16;
    private static final int ROUNDS = Integer.getInteger("leasehold.bench.rounds", 15);

    /** Per contender: a service runs for long, so what counts is its compiled code. */
    private static final int WARM_UP_PAIRS = 20_000;

    private final Targets targets = new Targets();

    private ManyBench() {}

    static void run(Path directory) throws Exception {
        ManyBench bench = new ManyBench();
        bench.postgres(directory);
        bench.targets.print();
    }

    private void postgres(Path directory) throws Exception {
        try (EmbeddedPostgres server = PostgresBench.durable(directory);
                HikariDataSource pool = PostgresBench.pool(server, "public", CONNECTIONS);
                LeaseStore store = JdbcLeaseStore.create(pool)) {
            PostgresLocks.createTables(pool);
            for (int callers : new int[] {1, 8, 64, 256}) {
                Map<String, AcquireRelease> contenders = new LinkedHashMap<>();
                contenders.put(LIMIT, PostgresLocks.plain(pool));
                contenders.put(OURS, AcquireRelease.leasehold(store, PostgresLocks.TTL));
                Map<String, Latencies> latencies = new LinkedHashMap<>();
                Measurement outcome = race("PostgreSQL", callers, contenders, latencies);
                String work = "PostgreSQL acquire + release, " + callers + " caller(s): ";
                targets.atLeast(
                        work + "rate against " + LIMIT,
                        callers >= 256 ? 4 : callers >= 64 ? 3 : 1,
                        outcome.speed(OURS, LIMIT));
                if (callers >= 64) {
                    targets.atMost(
                            work + "99th percentile against " + LIMIT,
                            1 / 3.0,
                            latencies.get(OURS).millis(0.99)
                                    / latencies.get(LIMIT).millis(0.99));
                }
            }
        }
    }

    private static Measurement race(
            String store, int callers, Map<String, AcquireRelease> contenders, Map<String, Latencies> latencies)
            throws Exception {
        int pairs = callers == 1 ? 160 : Math.max(800, 16 * callers);
        Measurement outcome = null;
        for (boolean warm : new boolean[] {false, true}) {
            Comparison comparison = new Comparison(
                            store + ", acquire + release of " + callers + " caller(s)" + (warm ? "" : ", warming up"),
                            pairs,
                            warm ? ROUNDS : WARM_UP_PAIRS / pairs / (callers == 1 ? 4 : 1))
                    .warmUp(0);
            contenders.forEach((name, pair) -> {
                Latencies measured = new Latencies();
                latencies.put(name, measured);
                comparison.addOnThreads(name, callers, measured.of(pair)::onThread);
            });
            outcome = comparison.run();
        }
        latencies.forEach((name, measured) -> System.out.println(String.format(
                Locale.ROOT,
                "  %-46s a pair takes %.1f ms median, %.1f ms at the 99th percentile",
                name,
                measured.millis(0.5),
                measured.millis(0.99))));
        return outcome;
    }
}
