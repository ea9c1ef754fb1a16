package dev.leasehold.shedlock;

import dev.leasehold.Lease;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a lock holds from its acquisition to its release, however often it is extended. */
interface LockHold {
    Grant grant();

    /** The lease that is renewed; null if nobody renews the grant. */
    @Nullable
    Lease lease();

    /** The time since this process asked for the lock. */
    Duration heldFor();

    /**
     * Gives the lock back. The name stays taken until {@code minHold} after it was acquired.
     *
     * @return how the lock was lost before; empty if it was held to the end
     */
    Optional<Loss> release(Duration minHold);
}
