package dev.leasehold.bench;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Release;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;

/** One way to take a lock and to give it back. */
@FunctionalInterface
interface AcquireRelease {
    /** How many names each thread takes in turn. */
    int NAMES = 16;

    void acquireAndRelease(String name) throws Exception;

    /** The store itself, as the others are measured. */
    static AcquireRelease leasehold(LeaseStore store, Duration ttl) {
        SystemIds ids = new SystemIds();
        Holder holder = Holder.of("somehost-4711-c0ffee");
        return name -> {
            Acquisition answer = store.acquire(LeaseName.of(name), AttemptId.of(ids.unique()), holder, ttl);
            Grant grant = ((Acquisition.Granted) answer).grant();
            if (!(store.release(grant, Duration.ZERO) instanceof Release.Released)) {
                throw new IllegalStateException(name + " was lost");
            }
        };
    }

    /** With all that {@link Leases} adds: renewal, trust by two clocks, listeners. */
    static AcquireRelease leasehold(Leases leases) {
        return name -> {
            try (Lease lease = leases.tryAcquire(name).lease().orElseThrow()) {
                lease.requireTrusted();
            }
        };
    }

    /** What one of several threads does: names of its own, one after the other. */
    default Comparison.Work onThread(int thread) {
        return times -> {
            for (int i = 0; i < times; i++) {
                acquireAndRelease("bench/job-" + thread + "-" + i % NAMES);
            }
        };
    }
}
