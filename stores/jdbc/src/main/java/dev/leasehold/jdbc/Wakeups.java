package dev.leasehold.jdbc;

import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.Watch;
import java.util.Optional;

/** Wakes clients that wait for a name when it is released. */
interface Wakeups extends AutoCloseable {
    Optional<Watch> watch(LeaseName name);

    @Override
    void close();
}
