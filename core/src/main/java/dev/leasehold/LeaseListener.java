package dev.leasehold;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import java.time.Duration;
import java.util.List;

/**
 * Receives everything that happens to leases, for metrics, logs and history. Methods are called
 * from several threads and must be quick. Exceptions that they throw are logged and change nothing.
 * A skip is not a failure and has its own method.
 */
public interface LeaseListener {
    LeaseListener NONE = new LeaseListener() {};

    /** A listener that passes everything on to several. One that throws does not keep the others from it. */
    static LeaseListener all(List<? extends LeaseListener> listeners) {
        return new LeaseListeners(listeners);
    }

    default void acquired(Lease lease, Transfer transfer) {}

    /** The lease was busy, so the caller did not get it. */
    default void skipped(LeaseName name, AcquireResult.Busy busy) {}

    /**
     * The store renewed the lease.
     *
     * @param gap the time since the renewal before; the closer to the ttl, the closer the lease
     *     came to being lost
     */
    default void renewed(Lease lease, Duration gap) {}

    /** A target or the work ledger refused this lease because it has seen a newer token. */
    default void staleRefused(Lease lease, String explanation) {}

    default void lost(Lease lease, Loss loss) {}

    default void released(Lease lease, Release release) {}

    /** The store did not answer the release; the name stays taken until its ttl. */
    default void releaseFailed(Lease lease, StoreUnavailableException failure) {}
}
