package dev.leasehold.jobs;

import dev.leasehold.internal.Contention;
import dev.leasehold.internal.NamedRecords;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The records of jobs in a store's register: the machines that run the jobs write them, and
 * people read them and pause jobs. Records are changed only by compare-and-set. Safe for use
 * by many threads.
 *
 * <p>Every method may throw {@link StoreUnavailableException}, after which the outcome is unknown
 * and the call may be repeated, and {@link StoreCorruptException}, after which nothing was changed.
 */
public final class JobRecords {
    private static final String PREFIX = "slots/";

    private final CasRegister register;
    private final NamedRecords names;
    private final Contention contention = Contention.system();

    public JobRecords(CasRegister register) {
        this.register = register;
        this.names = new NamedRecords(register, PREFIX);
    }

    /** A record before and after a change. */
    record Change(JobRecord before, JobRecord after, Instant at) {
        /** The outcomes that the change added, oldest first. */
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

    /** A record at one moment of store time. */
    public record Snapshot(JobRecord record, Instant at) {
        /** The schedule that a machine recorded last. Empty if a newer version wrote it and this one cannot read it. */
        public Optional<Schedule> schedule() {
            if (record.schedules().isEmpty()) {
                return Optional.empty();
            }
            JobRecord.Known known = record.schedules().get(0);
            try {
                return Optional.of(Schedule.of(known.cron(), Schedule.zone(known.zone())));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }

        /**
         * The first slot that was due and that no machine has taken care of: no machine runs, or none of
         * them knows the job any more. Empty for a job that is paused.
         */
        public Optional<Instant> overdueSlot() {
            // Every slot up to the watermark was taken care of. The next one should not be in the past.
            return record.pause() != null
                    ? Optional.empty()
                    : schedule()
                            .flatMap(schedule -> schedule.nextAfter(record.watermark()))
                            .filter(due -> due.isBefore(at));
        }

        /** How long it has been due; zero if there is none. */
        public Duration overdue() {
            return overdueSlot().map(due -> Duration.between(due, at)).orElse(Duration.ZERO);
        }
    }

    /** The store's time. */
    Instant now() {
        return register.read(PREFIX).at();
    }

    /** The record of a job; empty if no machine has run a job of this name. */
    public Optional<Snapshot> read(LeaseName job) {
        CasRegister.Reading reading = register.read(PREFIX + job);
        return reading.value().map(text -> new Snapshot(parse(job, text), reading.at()));
    }

    /**
     * Changes a record in one step. If another machine changed it first, the change is applied
     * again to the new record. A change that returns an equal record writes nothing.
     */
    Change change(LeaseName job, BiFunction<JobRecord, Instant, JobRecord> change) {
        return contention.resolve("the slots of " + job, () -> tryChange(job, change));
    }

    private Optional<Change> tryChange(LeaseName job, BiFunction<JobRecord, Instant, JobRecord> change) {
        CasRegister.Reading reading = register.read(PREFIX + job);
        String text = reading.value().orElse(null);
        // Records keep microseconds. With the same precision here, a record equals itself after it is read back.
        Instant at = reading.at().truncatedTo(ChronoUnit.MICROS);
        JobRecord before = text == null ? JobRecord.first(at) : parse(job, text);
        JobRecord after = change.apply(before, at);
        return (text != null && after.equals(before))
                        || register.compareAndSet(PREFIX + job, reading.version(), JobRecordText.format(after))
                ? Optional.of(new Change(before, after, at))
                : Optional.empty();
    }

    /** All jobs that have a record, ordered by name. The names are read page by page. */
    public Iterable<LeaseName> all() {
        return names.all();
    }

    /** The jobs that sort after {@code after}, with the versions of their records, in order. */
    public Map<LeaseName, String> versions(String after, int limit) {
        return names.versions(after, limit);
    }

    /** Drops the job's slots from now on, with this reason. A slot that is running continues. */
    public void pause(LeaseName job, Holder by, Note reason) {
        change(job, (record, now) -> record.withPause(new Pause(now, by, reason)));
    }

    /** Runs the job's slots again from now on. Slots that were due during the pause are dropped. */
    public void resume(LeaseName job) {
        change(job, DueSlotPolicy::resume);
    }

    /**
     * Removes the record of a job, also its pause and starts that wait. False if a slot is queued or
     * running, or if the record changed meanwhile; then it stays.
     */
    public boolean remove(LeaseName job) {
        CasRegister.Reading reading = register.read(PREFIX + job);
        boolean gone = reading.value().isEmpty()
                || (parse(job, reading.value().get()).open().isEmpty()
                        && register.remove(PREFIX + job, reading.version()));
        if (gone) {
            new JobStarts(register).unmark(job);
        }
        return gone;
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
