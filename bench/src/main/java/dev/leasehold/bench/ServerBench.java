package dev.leasehold.bench;

import dev.leasehold.Stores;
import dev.leasehold.client.HttpLeaseStore;
import dev.leasehold.spi.LeaseStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * A Leasehold server against the store behind it: a durable PostgreSQL, the servers and the load on
 * one machine.
 */
final class ServerBench {
    private static final String DIRECT = "PostgreSQL, 64 programs";
    private static final String SERVED = "through the server, 64 programs";
    private static final String DIRECT_TOGETHER = "PostgreSQL, one program (it combines its callers)";
    private static final String SERVED_TOGETHER = "through the server, one program";
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
        Map<String, Latencies> latencies = new LinkedHashMap<>();
        try (OpenStores direct = new OpenStores(CLIENTS, () -> Stores.create(postgres));
                OpenStores served = new OpenStores(CLIENTS, () -> HttpLeaseStore.open(server.url()))) {
            String title = "PostgreSQL and a server, acquire + release of " + CLIENTS + " clients";
            for (boolean warm : new boolean[] {false, true}) {
                Comparison comparison = new Comparison(title, PAIRS, warm ? ROUNDS : WARM_UP_PAIRS / PAIRS).warmUp(0);
                latencies.clear();
                add(comparison, latencies, DIRECT, direct::each);
                add(comparison, latencies, SERVED, served::each);
                add(comparison, latencies, DIRECT_TOGETHER, thread -> direct.first());
                add(comparison, latencies, SERVED_TOGETHER, thread -> served.first());
                if (warm) {
                    Measurement outcome = comparison.run();
                    targets.atLeast(
                            "acquire + release of 64 programs through a server, rate against 64 programs at PostgreSQL",
                            0.7,
                            outcome.speed(SERVED, DIRECT));
                } else {
                    System.out.println();
                    System.out.print("The next measurement only warms up:");
                    comparison.run();
                }
            }
        }
        latencies.forEach((name, measured) -> measured.print(name));
    }

    private static void add(
            Comparison comparison, Map<String, Latencies> latencies, String name, IntFunction<LeaseStore> storeOf) {
        Latencies measured = new Latencies();
        latencies.put(name, measured);
        comparison.addOnThreads(
                name, CLIENTS, thread -> measured.of(AcquireRelease.leasehold(storeOf.apply(thread), PostgresLocks.TTL))
                        .onThread(thread));
    }

    /** One store for each of many programs. They are in one process, and share nothing else. */
    private static final class OpenStores implements AutoCloseable {
        private final List<LeaseStore> all = new ArrayList<>();

        OpenStores(int count, Supplier<LeaseStore> open) {
            for (int i = 0; i < count; i++) {
                all.add(open.get());
            }
        }

        LeaseStore each(int program) {
            return all.get(program);
        }

        LeaseStore first() {
            return all.get(0);
        }

        @Override
        public void close() {
            all.forEach(LeaseStore::close);
        }
    }
}
