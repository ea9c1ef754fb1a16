package dev.leasehold.testkit.history;

import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.Racers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Records short histories of one name, made by concurrent clients of a real store, with some
 * answers lost, and checks that each is linearizable. A history that is not is printed in its
 * smallest form, with the seed of the run.
 */
public abstract class LinearizabilityContract {
    private static final int CLIENTS = 4;
    private static final int STEPS = 7;
    private static final int MIN_HISTORIES = 10;
    private static final int MAX_HISTORIES = 2_000;
    private static final long SECONDS = Long.getLong("leasehold.history.seconds", 2);
    private static final long SEED = Long.getLong("leasehold.history.seed", System.nanoTime() & 0xffffff);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(40);

    /** Opens one more client of the store under test: what one client wrote, the next one reads. */
    protected abstract LeaseStore openStore();

    @Test
    void callsOnALongLeaseHappenOneAfterAnother() throws Exception {
        checkHistories(LONG, 2, 1);
    }

    /**
     * The same with leases that expire meanwhile. Several histories run in parallel, because their
     * clients mostly wait.
     */
    @Test
    void callsOnAnExpiringLeaseHappenOneAfterAnother() throws Exception {
        checkHistories(SHORT, 4 * SHORT.toMillis(), 8);
    }

    private void checkHistories(Duration ttl, long longestPause, int atOnce) throws Exception {
        List<LeaseStore> stores = new ArrayList<>();
        try (Racers racers = new Racers(CLIENTS * atOnce)) {
            for (int i = 0; i < CLIENTS; i++) {
                stores.add(openStore());
            }
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            int checked = 0;
            while (checked < MIN_HISTORIES || (checked < MAX_HISTORIES && System.nanoTime() - end < 0)) {
                List<HistoryRecorder> recorders = new ArrayList<>();
                for (int i = 0; i < atOnce; i++) {
                    LeaseName name = LeaseName.of("history-" + UUID.randomUUID());
                    recorders.add(new HistoryRecorder(name, ttl, longestPause));
                }
                record(recorders, stores, racers, SEED + checked);
                recorders.forEach(LinearizabilityContract::check);
                checked += atOnce;
            }
            System.out.println("histories of " + getClass().getSimpleName() + " with leases of " + ttl + ": " + checked
                    + " checked; -Dleasehold.history.seed=" + SEED);
        } finally {
            stores.forEach(LeaseStore::close);
        }
    }

    private static void record(List<HistoryRecorder> recorders, List<LeaseStore> stores, Racers racers, long seed)
            throws Exception {
        racers.race(number -> {
            int client = number % CLIENTS;
            Random random = new Random(seed * CLIENTS + number);
            recorders.get(number / CLIENTS).play(client, stores.get(client), random, STEPS);
            return number;
        });
    }

    private static void check(HistoryRecorder recorder) {
        List<LeaseCall> history = recorder.calls();
        if (!Linearizability.holds(history)) {
            throw new AssertionError("these calls cannot have happened one after another; -Dleasehold.history.seed="
                    + SEED + "; of " + history.size() + " calls these matter:\n"
                    + Linearizability.show(Linearizability.shrink(history)));
        }
    }
}
