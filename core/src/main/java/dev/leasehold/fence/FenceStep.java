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
 * One locked access to the fence of a target. Opening it locks the fence, reads it, and completes a
 * write that an earlier crash left pending.
 *
 * <p>A pending write that cannot be completed is withdrawn: it was not acknowledged, and it would
 * block every later write. The fence stays raised.
 */
final class FenceStep implements AutoCloseable {
    private final DiskTarget target;
    private final TwoCopyFile file;
    private DiskState state;
    /**
     * Whether the state is known to survive a power cut. Its writer may have been killed
     * before the sync.
     */
    private boolean durable;
    /** Whether the pending write was found incomplete and its completion was started. */
    private boolean acting;
    /** Why records that may have been acknowledged are not in the log yet. They stay pending. */
    private @Nullable IOException incomplete;

    private @Nullable LogFile log;

    private FenceStep(DiskTarget target, TwoCopyFile file) {
        this.target = target;
        this.file = file;
        this.state = parse(target, file.text());
    }

    /**
     * Creates the fence if needed, with the first grant in it, so an empty fence always
     * means corruption.
     */
    static FenceStep open(DiskTarget target, Grant grant, Ids ids, Duration wait) throws IOException {
        if (!Disk.existsNoFollow(target.fence())) {
            String id = ids.unique();
            TwoCopyFile.create(
                    target.fence(),
                    TwoCopyFile.Size.SMALL,
                    DiskState.first(grant, id).format(),
                    target.staged(id),
                    staging -> target.copyModeTo(staging, true),
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
                // The last record may be in the log and acknowledged; that could not be checked.
                throw e;
            }
            withdraw();
            incomplete = state.pending() == null ? null : e;
        }
    }

    static DiskState parse(DiskTarget target, String text) {
        try {
            return DiskState.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TargetUnavailableException(
                    "the fence " + target.fence() + " cannot be read: " + e.getMessage() + ". Nothing was written. "
                            + DiskTarget.RESTORE,
                    e);
        }
    }

    DiskTarget target() {
        return target;
    }

    DiskState state() {
        return state;
    }

    /**
     * The sequence number of the next replacement of the fence; unique for each write of a target.
     */
    long nextSequence() {
        return file.sequence() + 1;
    }

    /** The file system's time when the fence was locked. */
    Instant openedAt() throws IOException {
        return file.openedAt();
    }

    /**
     * Replaces the state durably. If the new state has a pending write, this is the commit point.
     */
    void replace(DiskState after) throws IOException {
        file.replace(after.format());
        state = after;
        durable = true;
    }

    /**
     * Call this before the pending write is put in place, so that the fence is durable before the
     * target changes.
     */
    void prepareToAct() throws IOException {
        acting = true;
        sync();
    }

    /** Makes the state durable that was read. */
    void sync() throws IOException {
        if (!durable) {
            file.sync();
            durable = true;
        }
    }

    /** Records that the pending write is complete. Until then a crash leaves that open. */
    void markDone(@Nullable String pending) throws IOException {
        replace(state.withPendingDone(pending));
    }

    /**
     * Gives up the pending write. The fence stays raised, everything else is as before the write.
     */
    void withdraw() throws IOException {
        replace(state.withdrawn());
    }

    /**
     * The log file, created if missing. The same file for the whole step, even if its name is
     * changed meanwhile.
     */
    LogFile log() throws IOException {
        if (log == null) {
            log = LogFile.open(target);
        }
        return log;
    }

    /** As {@link #log}, but null if there is no log file. */
    @Nullable
    LogFile existingLog() throws IOException {
        if (log == null) {
            log = LogFile.find(target.file());
        }
        return log;
    }

    /** @throws IOException if earlier records are still missing from the log */
    void requireComplete() throws IOException {
        if (incomplete != null) {
            throw incomplete;
        }
    }

    @Override
    public void close() throws IOException {
        try (LogFile seen = log) {
            file.close();
        }
    }
}
