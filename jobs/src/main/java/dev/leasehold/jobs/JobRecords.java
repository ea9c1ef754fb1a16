package dev.leasehold.jobs;

import dev.leasehold.internal.Contention;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * What a store remembers of the slots of its jobs: for the machines that run them, and for people who want to see or pause
 * them. Each record is changed only by compare-and-set. Safe for use by many threads.
 *
 * <p>Every method may throw {@link StoreUnavailableException}, after which the outcome is unknown and the step may be
 * repeated, and {@link StoreCorruptException}, after which nothing was changed.
 */
public final class JobRecords {
    private static final String PREFIX = "slots/";

    private final CasRegister register;
    private final Contention contention = Contention.system();

    public JobRecords(CasRegister register) {
        this.register = register;
    }

    /** What a change made of a record. */
    record Change(JobRecord before, JobRecord after, Instant at) {
        /** What ended by it, oldest first. */
        List<Outcome> ended() {
            List<Outcome> found = new ArrayList<>();
            Outcome newestBefore =
                    before.outcomes().isEmpty() ? null : before.outcomes().get(0);
            for (Outcome outcome : after.outcomes()) {
                if (outcome.equals(newestBefore)) {
                    break;
                }
                found.add(0, outcome);
            }
            return found;
        }
    }

    /** A record as it was at one moment of store time. */
    public record Page(JobRecord record, Instant at) {}

    /** The store's time. */
    Instant now() {
        return register.read(PREFIX).at();
    }

    /** Empty if no machine has seen a job of that name. */
    public Optional<Page> read(LeaseName job) {
        CasRegister.Reading reading = register.read(PREFIX + job);
        return reading.value().map(text -> new Page(parse(job, text), reading.at()));
    }

    /**
     * Changes a record in one step, and again on what another machine wrote if that was faster. A change that returns the
     * same object leaves it as it is.
     */
    Change change(LeaseName job, BiFunction<JobRecord, Instant, JobRecord> change) {
        return contention.resolve("the slots of " + job, () -> tryChange(job, change));
    }

    private Optional<Change> tryChange(LeaseName job, BiFunction<JobRecord, Instant, JobRecord> change) {
        CasRegister.Reading reading = register.read(PREFIX + job);
        String text = reading.value().orElse(null);
        // As exact as records are, so that what was written compares equal to what is read back.
        Instant at = reading.at().truncatedTo(ChronoUnit.MICROS);
        JobRecord before = text == null ? JobRecord.first(at) : parse(job, text);
        JobRecord after = change.apply(before, at);
        return (text != null && after.equals(before))
                        || register.compareAndSet(PREFIX + job, reading.version(), JobRecordText.format(after))
                ? Optional.of(new Change(before, after, at))
                : Optional.empty();
    }

    /** The jobs that have a record, in the order of their names. */
    public List<LeaseName> jobs(int limit) {
        List<LeaseName> found = new ArrayList<>();
        for (String key : register.keys(PREFIX, "", limit)) {
            found.add(LeaseName.of(key.substring(PREFIX.length())));
        }
        return found;
    }

    /** From now on the job's slots are dropped, for this reason. What is running goes on. */
    public void pause(LeaseName job, Holder by, Note reason) {
        change(job, (record, now) -> record.withPause(new Pause(now, by, reason)));
    }

    /** From now on the job's slots are run again; the ones that were due meanwhile are dropped. */
    public void resume(LeaseName job) {
        change(job, DueSlotPolicy::resume);
    }

    private static JobRecord parse(LeaseName job, String text) {
        try {
            return JobRecordText.parse(text);
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new StoreCorruptException(
                    "the record of the slots of " + job + " cannot be read: " + e.getMessage()
                            + ". Nothing was changed",
                    e);
        }
    }
}
