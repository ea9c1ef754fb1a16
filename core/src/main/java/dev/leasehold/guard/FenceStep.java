package dev.leasehold.guard;

import dev.leasehold.internal.disk.SlotFile;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;

/**
 * One step on the fence of a target, whatever its kind: locked, read, and what an earlier crash left decided but not done is
 * completed before anything else is looked at.
 */
final class FenceStep implements AutoCloseable {
    private final DiskTarget target;
    private final SlotFile file;
    private DiskState state;
    /** Whether what was read is known to survive a power cut: whoever wrote it may have been killed before it did. */
    private boolean durable;

    private FenceStep(DiskTarget target, SlotFile file) {
        this.target = target;
        this.file = file;
        this.state = parse(target, file);
    }

    /** A fence is born with its first grant in it: one that says nothing could not be told from one that lost everything. */
    static FenceStep open(DiskTarget target, Grant grant, Ids ids, Duration wait) throws IOException {
        if (!Files.exists(target.fence())) {
            SlotFile.create(
                    target.fence(),
                    SlotFile.Size.SMALL,
                    DiskState.first(grant).format(),
                    target.staged(ids.unique()),
                    staging -> target.giveArtifactsMode(staging, true),
                    target.creationAttributes());
        }
        return open(target, "token " + grant.token() + " of " + grant.name(), wait);
    }

    static FenceStep open(DiskTarget target, String purpose, Duration wait) throws IOException {
        SlotFile file = SlotFile.open(target.fence(), SlotFile.Size.SMALL, purpose, wait);
        boolean opened = false;
        try {
            FenceStep step = new FenceStep(target, file);
            Unfinished unfinished = step.state.unfinished();
            if (unfinished != null && unfinished.worker() != null) {
                InPlaceFence.awaitEnd(target, unfinished, wait);
            }
            step.complete();
            opened = true;
            return step;
        } finally {
            if (!opened) {
                file.close();
            }
        }
    }

    static DiskState parse(DiskTarget target, SlotFile file) {
        try {
            return DiskState.parse(file.text());
        } catch (IllegalArgumentException e) {
            throw new TargetUnavailableException(
                    "the fence " + target.fence() + " cannot be read: " + e.getMessage()
                            + ". Nothing was written; restore it from a backup, or ask before you remove it",
                    e);
        }
    }

    DiskTarget target() {
        return target;
    }

    DiskState state() {
        return state;
    }

    /** Which replacement of the fence the next one will be; no two decisions of a target share it. */
    long nextSequence() {
        return file.sequence() + 1;
    }

    /** What the file system's clock said when the fence was locked. */
    Instant openedAt() throws IOException {
        return file.openedAt();
    }

    /** Durable when it returns. With a pending write in it, this is the commit point. */
    void replace(DiskState after) throws IOException {
        file.replace(after.format());
        state = after;
        durable = true;
    }

    /** Makes durable what was read, before something follows from it: the fence must never be below what was written. */
    void sync() throws IOException {
        if (!durable) {
            file.sync();
            durable = true;
        }
    }

    /** Puts in place what is decided. Harmless to repeat: a crash may have come after any part of it. */
    void complete() throws IOException {
        if (state.fence().pending() == null) {
            return;
        }
        if (state.kind() == TargetKind.DIRECTORY) {
            StagedTree.complete(this);
        } else if (state.kind() == TargetKind.LOG) {
            LogTail.complete(this);
        } else {
            StagedFile.complete(this);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
