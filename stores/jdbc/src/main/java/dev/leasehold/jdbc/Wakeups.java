package dev.leasehold.jdbc;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.Watch;
import java.time.Duration;
import java.util.Optional;

/** Wakes clients that wait for a name when it is released. */
interface Wakeups extends AutoCloseable {
    Optional<Watch> watch(LeaseName name);

    /** What the store answered to somebody of this process who asked for the lease. */
    void answered(LeaseName name, Acquisition answer, Duration ttl);

    /** How many microseconds those that wait should let pass at most after this process releases the name. */
    long windowMicros(LeaseName name);

    @Override
    void close();
}
