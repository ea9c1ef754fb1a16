package dev.leasehold.jobs;

import dev.leasehold.model.Holder;
import dev.leasehold.model.Note;
import java.time.Instant;

/** Why a job's slots are dropped for the time being. */
public record Pause(Instant since, Holder by, Note reason) {}
