package dev.leasehold.testkit;

/** Decides which fault each call has: a script in a test, a seeded generator in a simulation. */
@FunctionalInterface
public interface Faults {
    /** Called at most once for each call, in the order of the calls. */
    Fault next(StoreOperation operation);
}
