package dev.leasehold.testkit;

/** Decides what becomes of each call: a script in a test, a seeded generator in a simulation. */
@FunctionalInterface
public interface Faults {
    /** Asked at most once a call, in the order of calls. */
    Fault next(StoreOperation operation);
}
