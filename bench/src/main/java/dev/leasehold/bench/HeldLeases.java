package dev.leasehold.bench;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Many leases that one process holds. */
final class HeldLeases {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int ROUNDS = 9;

    private HeldLeases() {}

    static List<RenewRequest> acquire(LeaseStore store, int count) {
        SystemIds ids = new SystemIds();
        List<RenewRequest> held = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            LeaseName name = LeaseName.of("bench/held-" + count + "-" + i);
            Acquisition answer = store.acquire(name, AttemptId.of(ids.unique()), Holder.of("bench"), HOUR);
            held.add(new RenewRequest(((Acquisition.Granted) answer).grant(), HOUR));
        }
        return held;
    }

    /**
     * Measured separately: renewing one by one takes seconds per round, so interleaved rounds would
     * give too few samples.
     */
    static double medianRenewal(LeaseStore store, List<RenewRequest> held) {
        List<Double> micros = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            for (Renewal answer : store.renew(held)) {
                if (!(answer instanceof Renewal.Renewed)) {
                    throw new IllegalStateException("a lease was lost");
                }
            }
            micros.add((System.nanoTime() - start) / 1000.0);
        }
        return micros.stream().sorted().toList().get(ROUNDS / 2);
    }
}
