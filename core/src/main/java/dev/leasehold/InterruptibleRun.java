package dev.leasehold;

import dev.leasehold.model.Loss;

/** Runs work on the calling thread and interrupts that thread, once and only while the work runs, when the lease is lost. */
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
        lease.onLost(this::interrupt);
        try {
            T value = work.run(lease);
            boolean trusted = lease.isTrusted();
            stop();
            return trusted ? new RunOutcome.Ran<>(value) : new RunOutcome.Lost<>(loss(), null);
        } catch (Exception e) {
            boolean trusted = lease.isTrusted();
            stop();
            if (trusted) {
                throw e;
            }
            return new RunOutcome.Lost<>(loss(), e);
        }
    }

    private Loss loss() {
        return lease.loss().orElse(new Loss.Lapsed("its trusted time passed while the work ran"));
    }

    private synchronized void interrupt(Loss ignored) {
        if (running) {
            interrupted = true;
            worker.interrupt();
        }
    }

    /** An interrupt that was ours must not reach whatever this thread does next. */
    private synchronized void stop() {
        running = false;
        if (interrupted) {
            Thread.interrupted();
        }
    }
}
