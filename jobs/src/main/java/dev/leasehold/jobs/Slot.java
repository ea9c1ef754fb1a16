package dev.leasehold.jobs;

import dev.leasehold.model.LeaseName;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkKey;
import java.time.Instant;

/**
 * One occurrence of a job's schedule. Its work key identifies it on every machine and in
 * every attempt.
 */
public record Slot(LeaseName job, Instant at) {
    /** {@code job@2026-03-29T01:00:00Z}. */
    public String key() {
        return job + "@" + at;
    }

    WorkId workId() {
        return new WorkId(job, WorkKey.of(key()));
    }

    @Override
    public String toString() {
        return key();
    }
}
