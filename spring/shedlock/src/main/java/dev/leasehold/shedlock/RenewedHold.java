package dev.leasehold.shedlock;

import dev.leasehold.Lease;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Release;
import java.time.Duration;
import java.util.Optional;

/** A lease that is renewed until the lock is given back. If it is lost, the thread of the task is interrupted. */
final class RenewedHold implements LockHold {
    private final Lease lease;
    private final Thread task = Thread.currentThread();
    private boolean held = true;
    private boolean interrupted;

    RenewedHold(Lease lease) {
        this.lease = lease;
        lease.onLost(loss -> interrupt());
    }

    @Override
    public Grant grant() {
        return lease.grant();
    }

    @Override
    public Lease lease() {
        return lease;
    }

    @Override
    public Duration heldFor() {
        return lease.heldFor();
    }

    @Override
    public Optional<Loss> release(Duration minHold) {
        stopInterrupting();
        return lease.release(minHold).orElse(null) instanceof Release.NotCurrent late
                ? Optional.of(late.loss())
                : lease.loss();
    }

    private synchronized void interrupt() {
        if (held && !interrupted) {
            interrupted = true;
            task.interrupt();
        }
    }

    /** Clears an interrupt of ours, so that it does not reach what this thread does next. */
    private synchronized void stopInterrupting() {
        held = false;
        if (interrupted && Thread.currentThread() == task) {
            Thread.interrupted();
        }
    }
}
