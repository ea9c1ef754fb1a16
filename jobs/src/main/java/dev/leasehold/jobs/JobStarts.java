package dev.leasehold.jobs;

import dev.leasehold.internal.Contention;
import dev.leasehold.internal.NamedRecords;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.CasRegister;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Starts jobs now. A request is recorded in the job's record, in one step with the check that the job
 * exists and is not paused. A machine that runs the job decides by its overlap policy what becomes of it,
 * as it does for a slot that is due.
 *
 * <p>A second record, the <em>marker</em>, only tells machines which jobs to look at: they list the
 * markers every two seconds, instead of reading the records of all jobs. It is written after the request
 * and removed when the job has no more starts that are waiting, queued or running. So another machine
 * learns of a start even if the first one takes it up at once and dies.
 */
public final class JobStarts {
    private static final String PREFIX = "starts/";

    /** The most requests that wait for a machine. */
    static final int MOST_WAITING = 16;

    private static final int PAGE = 500;

    private final CasRegister register;
    private final NamedRecords names;
    private final JobRecords records;
    private final Contention contention = Contention.system();

    public JobStarts(CasRegister register) {
        this.register = register;
        this.names = new NamedRecords(register, PREFIX);
        this.records = new JobRecords(register);
    }

    /**
     * Asks for a run of a job now. If this throws because the store did not answer, the outcome is unknown:
     * repeat it with the same request id.
     */
    public StartResult start(LeaseName job, AttemptId request, Holder by) {
        if (records.read(job).isEmpty()) {
            return new StartResult.NoSuchJob();
        }
        JobRecords.Change change = records.change(job, (record, now) -> asked(record, request, by, now));
        Optional<JobStart> start = change.after().start(request);
        if (start.isEmpty()) {
            Pause pause = change.after().pause();
            return pause == null ? new StartResult.TooMany(MOST_WAITING) : new StartResult.Paused(pause);
        }
        if (change.after().hasStarts()) {
            mark(job, start.get());
        }
        return new StartResult.Asked(
                start.get(),
                change.before().start(request).isPresent(),
                change.after().stateOf(start.get()));
    }

    private static JobRecord asked(JobRecord record, AttemptId request, Holder by, Instant now) {
        boolean full = record.starts().stream().filter(JobStart::waiting).count() >= MOST_WAITING;
        if (record.start(request).isPresent() || record.pause() != null || full) {
            return record;
        }
        return record.with(new JobStart(request, freeSlot(record, now), true, by));
    }

    /** The first millisecond from now on that no other slot of the job has. */
    private static Instant freeSlot(JobRecord record, Instant now) {
        Instant slot = now.truncatedTo(ChronoUnit.MILLIS);
        while (!JobStart.isSlot(slot) || record.isTaken(slot)) {
            slot = slot.plusMillis(1);
        }
        return slot;
    }

    private void mark(LeaseName job, JobStart start) {
        contention.resolve("the mark of a start of " + job, () -> {
            CasRegister.Reading before = register.read(PREFIX + job);
            return register.compareAndSet(PREFIX + job, before.version(), "start " + start.slot())
                    ? Optional.of(start)
                    : Optional.empty();
        });
    }

    /** The jobs that have starts, with a version that differs for each request. */
    Map<LeaseName, String> marked() {
        Map<LeaseName, String> marked = new HashMap<>();
        String after = "";
        Map<LeaseName, String> page;
        do {
            page = names.versions(after, PAGE);
            for (LeaseName job : page.keySet()) {
                after = job.value();
            }
            marked.putAll(page);
        } while (page.size() == PAGE);
        return marked;
    }

    /** Removes the mark of a job whose starts have all ended. */
    void unmark(LeaseName job) {
        CasRegister.Reading mark = register.read(PREFIX + job);
        if (mark.value().isPresent()) {
            unmark(job, mark.version());
        }
    }

    /**
     * The same for a mark that was read before. The order matters: a request that is recorded after its
     * record was read here changes the mark, which then stays.
     *
     * @return whether the job has no starts
     */
    boolean unmark(LeaseName job, String version) {
        if (records.read(job).filter(page -> page.record().hasStarts()).isPresent()) {
            return false;
        }
        register.remove(PREFIX + job, version);
        return true;
    }
}
