package dev.leasehold.spring;

import dev.leasehold.AcquireResult;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Transfer;

/**
 * What happens to the leases of this process, for methods with {@code @EventListener}. Published on
 * the thread where it happens, so listeners must be quick. Renewals are not published.
 */
public sealed interface LeaseEvent {
    LeaseName name();

    /** The lease was acquired. */
    record Acquired(Grant grant, Transfer transfer) implements LeaseEvent {
        @Override
        public LeaseName name() {
            return grant.name();
        }
    }

    /** Another holder has the lease, so the method did not run. Not a failure. */
    record Skipped(LeaseName name, AcquireResult.Busy busy) implements LeaseEvent {}

    /** The lease was lost while the method ran. */
    record Lost(Grant grant, Loss loss) implements LeaseEvent {
        @Override
        public LeaseName name() {
            return grant.name();
        }
    }

    /** A transaction or a target refused the lease, because it has seen a newer token. */
    record StaleRefused(Grant grant, String explanation) implements LeaseEvent {
        @Override
        public LeaseName name() {
            return grant.name();
        }
    }

    /**
     * The lease was given back.
     *
     * @param answered false if the store did not answer; then the name stays taken until its ttl
     */
    record Released(Grant grant, boolean answered) implements LeaseEvent {
        @Override
        public LeaseName name() {
            return grant.name();
        }
    }
}
