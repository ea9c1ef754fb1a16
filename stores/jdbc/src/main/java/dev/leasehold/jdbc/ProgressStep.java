package dev.leasehold.jdbc;

import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Note;
import org.jspecify.annotations.Nullable;

/** A report of progress; a part that is null keeps its earlier value. */
record ProgressStep(Grant grant, @Nullable Note note, @Nullable Checkpoint checkpoint) {
    @Nullable
    String noteText() {
        return note == null ? null : note.value();
    }

    @Nullable
    String checkpointText() {
        return checkpoint == null ? null : checkpoint.value();
    }
}
