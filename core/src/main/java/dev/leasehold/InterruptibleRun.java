package dev.leasehold;

import dev.leasehold.model.Loss;
import org.jspecify.annotations.Nullable;

/**
 * Runs work on the calling thread, and interrupts that thread once if the lease is lost while the
 * work runs.
 */
final class InterruptibleRun<T> {
    private final Lease lease;
    private final Leases.Work<T> work;
    private final Thread worker = Thread.currentThread();
    private boolean running = true;
    private boolean interrupted;

    InterruptibleRun(Lease lease, Leases.Work<T> work) {
        this.lease = lease;
        this.work = work;
    }

    RunOutcome<T> run() throws Exception {
        lease.onLost(loss -> interrupt());
        try {
            T value = work.run(lease);
            return lease.isTrusted() ? new RunOutcome.Ran<>(value) : lost(null);
        } catch (Exception e) {
            if (lease.isTrusted()) {
                throw e;
            }
            return lost(e);
        } finally {
            stop();
        }
    }

    private RunOutcome<T> lost(@Nullable Exception failure) {
        Loss loss = lease.loss().orElse(new Loss.Lapsed("its trusted time passed while the work ran"));
        return new RunOutcome.Lost<>(loss, failure);
    }

    private synchronized void interrupt() {
        if (running && !interrupted) {
            interrupted = true;
            worker.interrupt();
        }
    }

    /** Clears an interrupt of ours, so that it does not reach what this thread does next. */
    private synchronized void stop() {
        running = false;
        if (interrupted) {
            Thread.interrupted();
        }
    }
}
