package dev.leasehold.bench;

import dev.leasehold.Lease;
import dev.leasehold.Leases;

/** One way to take a lock and to give it back. */
@FunctionalInterface
interface Pair {
    /** How many names each thread takes in turn. */
    int NAMES = 16;

    void acquireAndRelease(String name) throws Exception;

    /** As users of Leasehold do it. */
    static Pair leasehold(Leases leases) {
        return name -> {
            try (Lease lease = leases.tryAcquire(name).lease().orElseThrow()) {
                lease.requireTrusted();
            }
        };
    }

    /** What one of several threads does: names of its own, one after the other. */
    default SideBySide.Work onThread(int thread) {
        return times -> {
            for (int i = 0; i < times; i++) {
                acquireAndRelease("bench/job-" + thread + "-" + i % NAMES);
            }
        };
    }
}
