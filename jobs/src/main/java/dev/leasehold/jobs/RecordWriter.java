package dev.leasehold.jobs;

import dev.leasehold.Leases;
import dev.leasehold.internal.SlotCounter;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.Ticker;
import dev.leasehold.work.WorkLedger;
import java.time.Instant;
import java.util.function.BiFunction;

/** Changes the records of jobs, and sees to what follows from a change: it is told, counted and cleared up after. */
final class RecordWriter {
    private final Leases leases;
    private final JobRecords book;
    private final Ticker ticker;
    private final StoreClock clock;
    private final WorkLedger ledger;
    private final JobListener listener;

    RecordWriter(Leases leases, StoreClock clock, WorkLedger ledger, JobListener listener) {
        this.leases = leases;
        this.book = new JobRecords(leases.store().register());
        this.ticker = leases.context().ticker();
        this.clock = clock;
        this.ledger = ledger;
        this.listener = listener;
    }

    void askForTime() {
        ClockReading asked = ticker.read();
        clock.learn(book.now(), asked);
    }

    /** One change of a job's record. If this throws, the change is unknown or not made: what follows from one never throws. */
    JobRecords.Change change(Job job, BiFunction<JobRecord, Instant, JobRecord> change) {
        ClockReading asked = ticker.read();
        JobRecords.Change made = book.change(job.name(), change);
        clock.learn(made.at(), asked);
        for (Outcome outcome : made.ended()) {
            listener.ended(job, outcome);
            afterwards(job, "the outcome of " + outcome.from() + " was not counted", () -> count(job, outcome));
            if (outcome.attempt() > 0) {
                Slot slot = new Slot(job.name(), outcome.from());
                // The watermark and the outcome remember that the slot has ended; its work item would only pile up.
                afterwards(job, "the work item of " + slot + " stays", () -> ledger.forget(slot.workId()));
            }
        }
        return made;
    }

    private void afterwards(Job job, String otherwise, Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            listener.trouble(job, otherwise + ": " + e.getMessage());
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
