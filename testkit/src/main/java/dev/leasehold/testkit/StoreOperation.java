package dev.leasehold.testkit;

/** The calls of a {@link dev.leasehold.spi.LeaseStore} that can have a fault. */
public enum StoreOperation {
    ACQUIRE,
    INTERVENE,
    RENEW,
    RELEASE,
    ABANDON,
    PROGRESS,
    INSPECT,
    LIST,
    HISTORY,
    FORGET
}
