package dev.leasehold.spring.tx;

import dev.leasehold.model.LeaseName;

/**
 * Checks that code runs under a lease. Put it where a call that bypasses Spring's proxy would do
 * damage. A unit test that calls the method directly opens a {@link LeaseScope} around the call.
 */
public final class LeaseAssert {
    private LeaseAssert() {}

    /** @throws IllegalStateException if this thread works under no lease */
    public static void assertLeased() {
        if (LeaseScope.innermost() == null) {
            throw new IllegalStateException("this code must run under a lease, but this thread has none: the leased"
                    + " method was called on the object itself and not through Spring, or leases are switched off");
        }
    }

    /** @throws IllegalStateException if this thread does not work under the lease of this name */
    public static void assertLeased(String name) {
        if (LeaseScope.enclosing(LeaseName.of(name)).isEmpty()) {
            throw new IllegalStateException("this code must run under lease " + name + ", but this thread has "
                    + (LeaseScope.current().isEmpty() ? "none" : LeaseScope.current()));
        }
    }
}
