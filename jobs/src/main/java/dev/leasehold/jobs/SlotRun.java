package dev.leasehold.jobs;

import dev.leasehold.Lease;
import dev.leasehold.jobs.SlotTransitions.End;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Loss;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Timers;
import dev.leasehold.work.Claim;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkOutcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One attempt at one slot on this machine, from the claim of its key to its end. */
final class SlotRun {
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final int MAX_TRIES = 10;

    private final Job job;
    private final OpenSlot entry;
    private final Lease lease;
    private final WorkLedger ledger;
    private final JobEngine engine;
    private final Timers timers;
    private @Nullable Thread worker;
    private boolean stopped;

    SlotRun(Job job, OpenSlot entry, Lease lease, WorkLedger ledger, JobEngine engine, Timers timers) {
        this.job = job;
        this.entry = entry;
        this.lease = lease;
        this.ledger = ledger;
        this.engine = engine;
        this.timers = timers;
    }

    Job job() {
        return job;
    }

    FencingToken token() {
        return lease.grant().token();
    }

    OpenSlot entry() {
        return entry;
    }

    Slot slot() {
        return new Slot(job.name(), entry.slot());
    }

    /** Interrupts the work, so that another machine can go on with the slot. */
    synchronized void stop() {
        stopped = true;
        interrupt();
    }

    private synchronized void interrupt() {
        if (worker != null) {
            worker.interrupt();
        }
    }

    /** Never throws. In every case the end is recorded and the lease is released. */
    void run() {
        boolean interrupted = false;
        try {
            engine.listener().started(slot(), lease.grant(), entry.attempt());
            End end = work();
            interrupted = record(end);
        } finally {
            releaseLease();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void releaseLease() {
        try {
            lease.close();
        } catch (Throwable e) {
            // The lease is no longer renewed, so it is free after its ttl.
            engine.listener().trouble(job, "lease " + lease.grant().name() + " could not be released: " + e);
        }
    }

    private End work() {
        begin();
        try {
            lease.onLost(loss -> interrupt());
            WorkOutcome outcome = ledger.run(lease, slot().workId(), null, ongoing -> {
                job.work().run(new JobRun(slot(), entry.attempt(), ongoing));
                return null;
            });
            return endOf(outcome);
        } catch (StoreUnavailableException | StoreCorruptException e) {
            return new End.Lost(String.valueOf(e.getMessage()));
        } catch (Exception e) {
            return endOf(e);
        } catch (Throwable e) {
            // The outcome has only its message. The error probably comes from this work, and if it
            // were passed on, the end of the slot would not be recorded.
            Logs.warn("the work of " + slot() + " ended with an error", e);
            return endOf(e);
        } finally {
            end();
        }
    }

    private End endOf(Throwable e) {
        if (isStopped()) {
            return new End.Stopped();
        }
        if (!lease.isTrusted()) {
            return lost();
        }
        return e instanceof JobFailedException cutOff && cutOff.isLeaseLost()
                ? new End.Lost(messageOf(e))
                : new End.Failed(messageOf(e));
    }

    private synchronized void begin() {
        worker = Thread.currentThread();
        if (stopped) {
            worker.interrupt();
        }
    }

    /**
     * Clears an interrupt of {@link #stop}, which must not disturb the recording of the end or the
     * next task.
     */
    private synchronized void end() {
        worker = null;
        Thread.interrupted();
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    private End endOf(WorkOutcome outcome) {
        if (outcome instanceof WorkOutcome.Completed) {
            return new End.Done("");
        }
        if (outcome instanceof WorkOutcome.AlreadyDone) {
            return new End.Done("its work was done before, by a run that could not record it");
        }
        if (outcome instanceof WorkOutcome.NotRun not && not.why() instanceof Claim.StoreWentBack) {
            return new End.Failed(not.why().explanation());
        }
        return lost();
    }

    private End lost() {
        return new End.Lost(
                lease.loss().map(Loss::explanation).orElse("its lease expired before the work could be completed"));
    }

    private static String messageOf(Throwable e) {
        String message = e.getMessage();
        boolean explained = e instanceof JobFailedException
                || e instanceof StoreUnavailableException
                || e instanceof StoreCorruptException;
        return explained && message != null
                ? message
                : e.getClass().getSimpleName() + (message == null ? "" : ": " + message);
    }

    /**
     * Returns whether the thread was interrupted meanwhile. The interrupt is delayed until the end
     * is recorded.
     */
    private boolean record(End end) {
        boolean interrupted = false;
        for (int tries = 1; tries <= MAX_TRIES; tries++) {
            interrupted |= Thread.interrupted();
            try {
                JobRecords.Change change = engine.change(
                        job, (before, at) -> SlotTransitions.finish(job, before, entry.slot(), token(), end, at));
                if (change.before().equals(change.after())) {
                    engine.listener().replaced(slot());
                } else if (change.ended().isEmpty()) {
                    engine.listener().again(slot(), unfinished(end, change));
                }
                return interrupted;
            } catch (Throwable e) {
                String what = "the end of " + slot() + " could not be recorded: " + messageOf(e);
                CarefulListener.report(engine.listener(), job, what, e);
                interrupted |= pause(RETRY.multipliedBy(tries));
            }
        }
        engine.listener().again(slot(), EndedAttempt.unrecorded(entry.attempt()));
        return interrupted;
    }

    private EndedAttempt unfinished(End end, JobRecords.Change change) {
        if (end instanceof End.Failed failed) {
            OpenSlot next = change.after().openAt(entry.slot()).orElseThrow();
            Duration delay = Duration.between(change.at(), next.notBefore());
            return EndedAttempt.failed(
                    entry.attempt(),
                    failed.detail(),
                    new EndedAttempt.Retry(next.failures(), job.retries().max(), delay));
        }
        return end instanceof End.Lost lost
                ? EndedAttempt.lost(entry.attempt(), lost.detail())
                : EndedAttempt.stopped(entry.attempt());
    }

    /** Returns whether the pause was interrupted, and so ended early. */
    private boolean pause(Duration duration) {
        try {
            timers.sleep(duration);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }
}
