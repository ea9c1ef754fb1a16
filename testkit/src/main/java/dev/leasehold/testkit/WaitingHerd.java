package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Many waiters, of one process or of several, that wait for one name and hand it over to each other. */
public final class WaitingHerd {
    private static final LeaseTerms TERMS = LeaseTerms.ofTtl(Duration.ofMinutes(10));
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration QUIET = Duration.ofMillis(400);

    private WaitingHerd() {}

    /**
     * The number of statements that one hand-over takes among threads of one process.
     *
     * @param store is closed
     * @param statements how many statements the server has executed so far
     */
    public static double statementsPerHandOver(LeaseStore store, LeaseName name, int waiters, LongSupplier statements)
            throws Exception {
        return statementsPerHandOver(List.of(store), name, waiters, statements);
    }

    /**
     * The number of statements that one hand-over takes among waiters of several clients, which know as little of each other as
     * processes do.
     *
     * @param stores one for each client; they are closed
     * @param waiters of each client
     * @param statements how many statements the server has executed so far
     */
    public static double statementsPerHandOver(
            List<LeaseStore> stores, LeaseName name, int waiters, LongSupplier statements) throws Exception {
        List<Leases> clients = new ArrayList<>();
        stores.forEach(store -> clients.add(Leases.over(store).build()));
        int all = waiters * stores.size();
        ExecutorService threads = Executors.newFixedThreadPool(all);
        try {
            Lease first = clients.get(0).tryAcquire(name, TERMS).lease().orElseThrow();
            List<Future<Boolean>> waiting = new ArrayList<>();
            for (int i = 0; i < all; i++) {
                Leases client = clients.get(i % clients.size());
                waiting.add(threads.submit(() -> takeATurn(client, name)));
            }
            long before = quiet(statements);
            first.close();
            for (Future<Boolean> turn : waiting) {
                assertThat(turn.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            }
            return (statements.getAsLong() - before) / (double) all;
        } finally {
            clients.forEach(Leases::close);
            threads.shutdownNow();
        }
    }

    private static boolean takeATurn(Leases leases, LeaseName name) throws InterruptedException {
        Lease lease = leases.acquireWithin(name, TERMS, PATIENCE).lease().orElse(null);
        if (lease != null) {
            lease.close();
        }
        return lease != null;
    }

    /** Everybody waits when each look adds the same few statements: those of the look itself. */
    private static long quiet(LongSupplier statements) throws InterruptedException {
        long before = statements.getAsLong();
        long added = -1;
        for (int looks = 0; looks < 100; looks++) {
            Thread.sleep(QUIET.toMillis());
            long now = statements.getAsLong();
            if (now - before == added) {
                return now;
            }
            added = now - before;
            before = now;
        }
        return before;
    }
}
