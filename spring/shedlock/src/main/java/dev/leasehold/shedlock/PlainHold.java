package dev.leasehold.shedlock;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Release;
import dev.leasehold.spi.ClockReading;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A grant that nobody renews: it ends after {@code lockAtMostFor}, as ShedLock's users expect.
 *
 * @param asked the clocks just before the store was asked
 */
record PlainHold(Leases leases, Grant grant, ClockReading asked) implements LockHold {
    @Override
    public @Nullable Lease lease() {
        return null;
    }

    @Override
    public Duration heldFor() {
        return asked.elapsedUntil(leases.context().ticker().read());
    }

    @Override
    public Optional<Loss> release(Duration minHold) {
        // An interrupted thread must still be able to give its lock back.
        boolean interrupted = Thread.interrupted();
        try {
            Release answer = leases.store().release(grant, minHold);
            return answer instanceof Release.NotCurrent late ? Optional.of(late.loss()) : Optional.empty();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
