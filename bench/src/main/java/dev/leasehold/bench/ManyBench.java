package dev.leasehold.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.jdbc.JdbcLeaseStore;
import dev.leasehold.spi.LeaseStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;

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
            AcquireRelease plain = PostgresLocks.plain(pool);
            AcquireRelease ours = AcquireRelease.leasehold(store, PostgresLocks.TTL);
            for (int callers : new int[] {1, 8, 64, 256}) {
                Latencies ofPlain = new Latencies();
                Latencies ofOurs = new Latencies();
                race("PostgreSQL, warming up", callers, warmUpRounds(callers), plain, ours);
                Measurement outcome = race("PostgreSQL", callers, ROUNDS, ofPlain.of(plain), ofOurs.of(ours));
                ofPlain.print(LIMIT);
                ofOurs.print(OURS);
                String work = "PostgreSQL acquire + release, " + callers + " caller(s): ";
                double wanted = callers >= 256 ? 4 : callers >= 64 ? 3 : 1;
                targets.atLeast(work + "rate against " + LIMIT, wanted, outcome.speed(OURS, LIMIT));
                if (callers >= 64) {
                    targets.atMost(
                            work + "99th percentile against " + LIMIT,
                            1 / 3.0,
                            ofOurs.millis(0.99) / ofPlain.millis(0.99));
                }
            }
        }
    }

    private static int pairs(int callers) {
        return callers == 1 ? 160 : Math.max(800, 16 * callers);
    }

    private static int warmUpRounds(int callers) {
        return Math.max(1, WARM_UP_PAIRS / pairs(callers) / (callers == 1 ? 4 : 1));
    }

    private static Measurement race(String store, int callers, int rounds, AcquireRelease plain, AcquireRelease ours)
            throws Exception {
        return new Comparison(store + ", acquire + release of " + callers + " caller(s)", pairs(callers), rounds)
                .warmUp(0)
                .addOnThreads(LIMIT, callers, plain::onThread)
                .addOnThreads(OURS, callers, ours::onThread)
                .run();
    }
}
