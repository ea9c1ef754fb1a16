package dev.leasehold.bench;

import dev.leasehold.Stores;
import dev.leasehold.client.HttpLeaseStore;
import dev.leasehold.spi.LeaseStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A Leasehold server against the store behind it: a durable PostgreSQL, the servers and the load on
 * one machine.
 */
final class ServerBench {
    private static final String DIRECT = "PostgreSQL, directly";
    private static final String SERVED = "through the server, one program";
    private static final String SERVED_APART = "through the server, 64 programs";
    private static final int CLIENTS = 64;
    private static final int PAIRS = 3200;
    private static final int ROUNDS = 15;
    /** Per contender: a server runs for long, so what counts is its compiled code. */
    private static final int WARM_UP_PAIRS = 60_000;

    /** How long leases are held. Shorter for a trial: {@code -Dleasehold.bench.seconds=10}. */
    static final Duration HELD = Duration.ofSeconds(Integer.getInteger("leasehold.bench.seconds", 60));

    private final String postgres;
    private final Targets targets = new Targets();

    private ServerBench(String postgres) {
        this.postgres = postgres;
    }

    static void run(Path directory) throws Exception {
        try (EmbeddedPostgres server = PostgresBench.durable(directory)) {
            new ServerBench("postgresql://postgres@localhost:" + server.getPort() + "/postgres").run();
        }
    }

    private void run() throws Exception {
        try (ServedStore server = new ServedStore(postgres)) {
            pairs(server);
        }
        try (ServedStore server = new ServedStore(postgres)) {
            new ServedHolders(targets).holdMany(server);
        }
        try (ServedStore one = new ServedStore(postgres);
                ServedStore two = new ServedStore(postgres)) {
            new ServedHolders(targets).survive(one, two);
        }
        try (ServedStore server = new ServedStore(postgres)) {
            new ServedWaiters(targets).run(server);
        }
        targets.print();
    }

    /** The store alone on both sides, without the engine: what is compared is the way to it. */
    private void pairs(ServedStore server) throws Exception {
        Latencies directly = new Latencies();
        Latencies served = new Latencies();
        Latencies apart = new Latencies();
        try (LeaseStore direct = Stores.create(postgres);
                LeaseStore shared = HttpLeaseStore.open(server.url())) {
            List<AcquireRelease> own = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                own.add(apart.of(AcquireRelease.leasehold(HttpLeaseStore.open(server.url()), PostgresLocks.TTL)));
            }
            AcquireRelease ofDirect = directly.of(AcquireRelease.leasehold(direct, PostgresLocks.TTL));
            AcquireRelease ofServed = served.of(AcquireRelease.leasehold(shared, PostgresLocks.TTL));
            String title = "PostgreSQL and a server, acquire + release of " + CLIENTS + " clients";
            for (boolean warm : new boolean[] {false, true}) {
                Comparison comparison = new Comparison(title, PAIRS, warm ? ROUNDS : WARM_UP_PAIRS / PAIRS)
                        .warmUp(0)
                        .addOnThreads(DIRECT, CLIENTS, ofDirect::onThread)
                        .addOnThreads(SERVED, CLIENTS, ofServed::onThread)
                        .addOnThreads(
                                SERVED_APART, CLIENTS, thread -> own.get(thread).onThread(thread));
                if (warm) {
                    report(comparison.run());
                } else {
                    System.out.println();
                    System.out.print("The next measurement only warms up:");
                    comparison.run();
                    directly.clear();
                    served.clear();
                    apart.clear();
                }
            }
        }
        print(DIRECT, directly);
        print(SERVED, served);
        print(SERVED_APART, apart);
    }

    private void report(Measurement outcome) {
        String work =
                "acquire + release of " + CLIENTS + " clients through a server, rate against the store directly: ";
        targets.atLeast(work + "one program", 0.7, outcome.speed(SERVED, DIRECT));
        targets.atLeast(work + "64 programs", 0.7, outcome.speed(SERVED_APART, DIRECT));
    }

    private static void print(String contender, Latencies latencies) {
        System.out.println(String.format(
                Locale.ROOT,
                "  %-46s a pair takes %.1f ms median, %.1f ms at the 99th percentile",
                contender,
                latencies.millis(0.5),
                latencies.millis(0.99)));
    }
}
