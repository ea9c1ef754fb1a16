package dev.leasehold.events;

import dev.leasehold.jobs.JobRecords;
import dev.leasehold.jobs.JobStarts;
import dev.leasehold.jobs.StartResult;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import java.time.Duration;
import java.time.Instant;

/**
 * What operators do with jobs. Each move is in the history of the job, with who did it and why. The
 * history informs people: if it cannot be written after the move was made, the move counts all the same.
 */
public final class JobMoves {
    /** The kinds of their entries in the log of runs. */
    static final String PAUSED = "paused";

    static final String RESUMED = "resumed";
    static final String STARTED = "started";

    private final JobRecords records;
    private final JobStarts starts;
    private final RunLog log;

    public JobMoves(CasRegister register) {
        this.records = new JobRecords(register);
        this.starts = new JobStarts(register);
        this.log = new RunLog(register);
    }

    /** Drops the slots of a job from now on. False if no machine has run a job of this name. */
    public boolean pause(LeaseName job, Holder by, Note reason) {
        if (records.read(job).isEmpty()) {
            return false;
        }
        records.pause(job, by, reason);
        record(job, PAUSED, by, reason.value());
        return true;
    }

    /** Runs the slots of a job again. False if it was not paused; then nothing was changed. */
    public boolean resume(LeaseName job, Holder by, Note reason) {
        if (records.read(job).filter(page -> page.record().pause() != null).isEmpty()) {
            return false;
        }
        records.resume(job);
        record(job, RESUMED, by, reason.value());
        return true;
    }

    /**
     * Runs a job now.
     *
     * @param request drawn once for a request: repeated with the same id, it is one run
     * @param reason for people; may be empty
     */
    public StartResult start(LeaseName job, AttemptId request, Holder by, String reason) {
        StartResult result = starts.start(job, request, by);
        if (result instanceof StartResult.Asked asked && !asked.again()) {
            record(job, STARTED, by, "slot " + asked.start().slot() + (reason.isEmpty() ? "" : ": " + reason));
        }
        return result;
    }

    private void record(LeaseName job, String kind, Holder by, String detail) {
        try {
            log.append(job, new RunEntry(Instant.EPOCH, kind, null, by, Duration.ZERO, detail));
        } catch (StoreUnavailableException | StoreCorruptException e) {
            // The move was made. An error would say that it is unknown.
            System.getLogger("dev.leasehold")
                    .log(
                            System.Logger.Level.WARNING,
                            "the history of " + job + " does not show that it was " + kind + " by " + by + ": "
                                    + e.getMessage());
        }
    }
}
