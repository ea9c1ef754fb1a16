package dev.leasehold.fence;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One step on the fence of a target, whatever its kind: locked, read, and what an earlier crash left decided but not done is
 * completed before anything else is looked at.
 *
 * <p>What cannot be completed is withdrawn: nobody was told that it is there, and a target whose fence insisted on it could
 * never be written again. Raised tokens stay raised.
 */
final class FenceStep implements AutoCloseable {
    private final DiskTarget target;
    private final TwoCopyFile file;
    private DiskState state;
    /** Whether what was read is known to survive a power cut: whoever wrote it may have been killed before it did. */
    private boolean durable;
    /** Whether what is pending was seen not to be done, and was tried. */
    private boolean acting;
    /** Why records that may have been acknowledged are not in the log yet; they are not given up. */
    private @Nullable IOException unsettled;

    private @Nullable LogFile log;

    private FenceStep(DiskTarget target, TwoCopyFile file) {
        this.target = target;
        this.file = file;
        this.state = parse(target, file);
    }

    /** A fence is born with its first grant in it: one that says nothing could not be told from one that lost everything. */
    static FenceStep open(DiskTarget target, Grant grant, Ids ids, Duration wait) throws IOException {
        if (!Disk.existsNoFollow(target.fence())) {
            TwoCopyFile.create(
                    target.fence(),
                    TwoCopyFile.Size.SMALL,
                    DiskState.first(grant).format(),
                    target.staged(ids.unique()),
                    staging -> target.giveArtifactsMode(staging, true),
                    target.creationAttributes());
        }
        return open(target, "token " + grant.token() + " of " + grant.name(), wait);
    }

    static FenceStep open(DiskTarget target, String purpose, Duration wait) throws IOException {
        TwoCopyFile file = TwoCopyFile.open(target.fence(), TwoCopyFile.Size.SMALL, purpose, wait);
        FenceStep step = null;
        boolean opened = false;
        try {
            step = new FenceStep(target, file);
            Unfinished unfinished = step.state.unfinished();
            if (unfinished != null && unfinished.worker() != null) {
                InPlaceFence.awaitEnd(target, unfinished, wait);
            }
            step.completeOrWithdraw();
            opened = true;
            return step;
        } finally {
            if (!opened) {
                try (LogFile seen = step == null ? null : step.log) {
                    file.close();
                }
            }
        }
    }

    private void completeOrWithdraw() throws IOException {
        TargetKind kind = state.kind();
        if (kind == null || state.pending() == null) {
            return;
        }
        try {
            kind.complete(this);
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            if (kind == TargetKind.LOG && !acting) {
                // The record that was decided last may be there, and acknowledged: that could not be seen.
                throw e;
            }
            withdraw();
            unsettled = state.pending() == null ? null : e;
        }
    }

    static DiskState parse(DiskTarget target, TwoCopyFile file) {
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

    /** Before something follows from what was read: it was found to be missing, and the fence must not be below it. */
    void prepareToAct() throws IOException {
        acting = true;
        sync();
    }

    /** Makes durable what was read. */
    void sync() throws IOException {
        if (!durable) {
            file.sync();
            durable = true;
        }
    }

    /** It is done. Until the fence knows, a crash could leave it open whether it was. */
    void settle(@Nullable String pending) throws IOException {
        replace(state.settled(pending));
    }

    /** It is not done, and shall not be: the fence stays raised, and everything else is as before the decision. */
    void withdraw() throws IOException {
        replace(state.withdrawn());
    }

    /** The log, one file of it for the whole step: its name may lead to another one at any moment. Made if missing. */
    LogFile log() throws IOException {
        if (log == null) {
            log = LogFile.open(target);
        }
        return log;
    }

    /** As {@link #log}, or null if there is none. */
    @Nullable
    LogFile existingLog() throws IOException {
        if (log == null) {
            log = LogFile.find(target.file());
        }
        return log;
    }

    /** Nothing can follow upon records that are not there. */
    void requireSettled() throws IOException {
        if (unsettled != null) {
            throw unsettled;
        }
    }

    @Override
    public void close() throws IOException {
        try (LogFile seen = log) {
            file.close();
        }
    }
}
