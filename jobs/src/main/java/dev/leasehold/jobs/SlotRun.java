package dev.leasehold.jobs;

import dev.leasehold.Lease;
import dev.leasehold.jobs.Turns.End;
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

/** One try of one slot on this machine, from the claim of its key to its end. */
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

    /** The work is to end now; another machine goes on with the slot. */
    synchronized void stop() {
        stopped = true;
        interrupt();
    }

    private synchronized void interrupt() {
        if (worker != null) {
            worker.interrupt();
        }
    }

    void run() {
        engine.listener().started(slot(), lease.grant(), entry.attempt());
        End end = work();
        record(end);
        lease.close();
    }

    @SuppressWarnings("CatchingUnchecked")
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
        } catch (Exception | LinkageError | AssertionError e) {
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

    /** An interrupt that was ours must not reach the bookkeeping, nor whatever this thread does next. */
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
            return new End.Done("its work was done before, by a run that could not say so");
        }
        if (outcome instanceof WorkOutcome.NotRun not && not.why() instanceof Claim.StoreWentBack) {
            return new End.Failed(not.why().explanation());
        }
        return lost();
    }

    private End lost() {
        return new End.Lost(
                lease.loss().map(Loss::explanation).orElse("its lease ran out before the work could be completed"));
    }

    private static String messageOf(Throwable e) {
        String message = e.getMessage();
        return e instanceof JobFailedException && message != null
                ? message
                : e.getClass().getSimpleName() + (message == null ? "" : ": " + message);
    }

    private void record(End end) {
        for (int tries = 1; tries <= MAX_TRIES; tries++) {
            try {
                SlotBook.Change change =
                        engine.change(job, (before, at) -> Turns.finish(job, before, entry.slot(), token(), end, at));
                if (change.before().equals(change.after())) {
                    engine.listener().replaced(slot());
                } else if (change.ended().isEmpty()) {
                    engine.listener().again(slot(), why(end));
                }
                return;
            } catch (StoreUnavailableException | StoreCorruptException e) {
                engine.listener().trouble(job, String.valueOf(e.getMessage()));
                pause(RETRY.multipliedBy(tries));
            }
        }
    }

    private static String why(End end) {
        if (end instanceof End.Failed failed) {
            return failed.detail();
        }
        return end instanceof End.Lost lost ? lost.detail() : "this machine was told to stop";
    }

    private void pause(Duration duration) {
        try {
            timers.sleep(duration);
        } catch (InterruptedException e) {
            // Nobody interrupts bookkeeping on purpose; the next try comes a little early.
            Thread.currentThread().interrupt();
        }
    }
}
