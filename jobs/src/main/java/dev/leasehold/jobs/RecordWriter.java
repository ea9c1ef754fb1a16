package dev.leasehold.jobs;

import dev.leasehold.Leases;
import dev.leasehold.internal.SlotCounter;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.Ticker;
import dev.leasehold.work.WorkLedger;
import java.time.Instant;
import java.util.function.BiFunction;

/**
 * Changes the records of jobs, then reports and counts the outcomes and removes the work items of
 * ended slots.
 */
final class RecordWriter {
    private final Leases leases;
    private final JobRecords records;
    private final JobStarts starts;
    private final Ticker ticker;
    private final StoreClock clock;
    private final WorkLedger ledger;
    private final JobListener listener;

    RecordWriter(Leases leases, StoreClock clock, WorkLedger ledger, JobListener listener) {
        this.leases = leases;
        this.records = new JobRecords(leases.store().register());
        this.starts = new JobStarts(leases.store().register());
        this.ticker = leases.context().ticker();
        this.clock = clock;
        this.ledger = ledger;
        this.listener = listener;
    }

    void askForTime() {
        ClockReading asked = ticker.read();
        clock.learn(records.now(), asked);
    }

    /**
     * Changes a job's record. If this throws, the change was not made or is unknown; follow-up
     * steps never throw.
     */
    JobRecords.Change change(Job job, BiFunction<JobRecord, Instant, JobRecord> change) {
        ClockReading asked = ticker.read();
        JobRecords.Change made = records.change(job.name(), change);
        clock.learn(made.at(), asked);
        for (Outcome outcome : made.ended()) {
            listener.ended(job, outcome);
            followUp(job, "the outcome of " + outcome.from() + " was not counted", () -> count(job, outcome));
            if (outcome.attempt() > 0) {
                Slot slot = new Slot(job.name(), outcome.from());
                // The record shows that the slot has ended, so its work item is no longer needed.
                followUp(job, "the work item of " + slot + " stays", () -> ledger.forget(slot.workId()));
            }
        }
        if (made.before().hasStarts() && !made.after().hasStarts()) {
            followUp(job, "the mark of a start stays", () -> starts.unmark(job.name()));
        }
        return made;
    }

    private void followUp(Job job, String otherwise, Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            CarefulListener.report(listener, job, otherwise + ": " + e.getMessage(), e);
        }
    }

    private void count(Job job, Outcome outcome) {
        if (!(leases.listener() instanceof SlotCounter counter)) {
            return;
        }
        try {
            if (outcome.kind() == Outcome.Kind.SKIPPED) {
                counter.slotSkipped(job.name(), outcome.from());
            } else if (outcome.kind() == Outcome.Kind.DROPPED) {
                counter.slotsDropped(job.name(), outcome.slots());
            }
        } catch (RuntimeException | Error e) {
            Logs.warn("a lease listener failed", e);
        }
    }
}
