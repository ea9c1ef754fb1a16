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

/** One way to acquire and release a lock. */
@FunctionalInterface
interface AcquireRelease {
    /** The number of names that each thread uses in turn. */
    int NAMES = 16;

    void acquireAndRelease(String name) throws Exception;

    /** The store alone, which is comparable to the other contenders. */
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

    /** With everything that {@link Leases} adds: renewal, trust by two clocks, listeners. */
    static AcquireRelease leasehold(Leases leases) {
        return name -> {
            try (Lease lease = leases.tryAcquire(name).lease().orElseThrow()) {
                lease.requireTrusted();
            }
        };
    }

    /** The work of one thread: its own names, one after the other. */
    default Comparison.Work onThread(int thread) {
        return times -> {
            for (int i = 0; i < times; i++) {
                acquireAndRelease("bench/job-" + thread + "-" + i % NAMES);
            }
        };
    }
}
