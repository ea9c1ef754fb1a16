package dev.leasehold.jobs;

import dev.leasehold.model.Holder;
import dev.leasehold.model.Note;
import java.time.Instant;

/** Who paused a job, when and why. Its slots are dropped until it is resumed. */
public record Pause(Instant since, Holder by, Note reason) {}
