package dev.leasehold;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import java.time.Duration;
import java.time.Instant;

/**
 * Told of everything that happens to leases, for metrics, logs and history. Methods are called from several threads and
 * must be quick; a skip is not a failure and has its own method.
 */
public interface LeaseListener {
    LeaseListener NONE = new LeaseListener() {};

    default void acquired(Lease lease, Transfer transfer) {}

    default void skipped(LeaseName name, AcquireResult.Busy busy) {}

    /**
     * The store renewed the lease.
     *
     * @param gap the time since the previous success: how near the lease came to being lost
     */
    default void renewed(Lease lease, Duration gap) {}

    /** A target or the ledger refused a step of this lease because a newer one had been there. */
    default void staleRefused(Lease lease, String explanation) {}

    /** A slot of a schedule was not run because an earlier one, or somebody else, was at work. Not a failure. */
    default void slotSkipped(LeaseName name, Instant slot) {}

    /** So many slots of a schedule were missed and are not made up for. */
    default void slotsDropped(LeaseName name, long slots) {}

    default void lost(Lease lease, Loss loss) {}

    default void released(Lease lease, Release release) {}

    /** The store could not be told; the name stays taken until its ttl. */
    default void releaseFailed(Lease lease, StoreUnavailableException failure) {}
}
