package dev.leasehold.spi;

import java.util.List;
import java.util.Optional;

/**
 * A register with a connection of its own, for a store that consists of nothing else. {@link
 * dev.leasehold.store.CasLeaseStore} passes on what it says, and closes it.
 */
public interface ConnectedRegister extends CasRegister, AutoCloseable {
    /**
     * The reason why compare-and-set is atomic, as half a sentence; empty if there is only
     * experience.
     */
    default Optional<String> atomicBecause() {
        return Optional.empty();
    }

    /** Settings of the store that could make it lose an acknowledged write, one sentence each. */
    default List<String> warnings() {
        return List.of();
    }

    /**
     * Starts to watch for changes of the key. Empty if this store cannot, and waiters have to poll.
     * Watching a key that is absent does not create it.
     */
    default Optional<Watch> watch(String key) {
        return Optional.empty();
    }

    @Override
    void close();
}
