package dev.leasehold.spring.tx;

import dev.leasehold.Lease;
import dev.leasehold.model.Grant;
import java.util.Optional;

/** The lease under which the current thread works; the innermost one if several are nested. */
public final class CurrentLease {
    private CurrentLease() {}

    /**
     * The lease, for its grant, its progress and its remaining time.
     *
     * @throws IllegalStateException if this thread works under no lease
     */
    public static Lease get() {
        return find().orElseThrow(() -> new IllegalStateException("this thread works under no lease. The method was"
                + " called on the object itself and not through Spring, it runs on another thread than the leased"
                + " method (see LeaseTaskDecorator), or leases are switched off"));
    }

    /** Empty if this thread works under no lease that this process holds. */
    public static Optional<Lease> find() {
        LeaseScope scope = LeaseScope.innermost();
        return scope == null ? Optional.empty() : scope.lease();
    }

    /** The grant to show to a fence. Empty if this thread works under none. */
    public static Optional<Grant> grant() {
        return Optional.ofNullable(LeaseScope.innermost()).map(LeaseScope::grant);
    }
}
