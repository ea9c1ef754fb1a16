package dev.leasehold.fence;

import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A log to which a stale token cannot append. A write appends one record of one or more whole
 * lines; lines of other records never come between them.
 *
 * <p>A short record is committed by writing it into the fence, together with earlier short records
 * that may not be durable in the log yet. This takes one sync of the fence and none of the log. A
 * record that a crash cut short is completed from the fence; no acknowledged record is lost. Long
 * records are staged in a temporary file.
 *
 * <p>Lines that other programs append are kept, and a line that they left open is ended
 * first: the log is opened for appending, so nothing in it is overwritten. If the log was
 * moved away or truncated, a new one is started. If it is moved away during a write, the
 * record is in the moved file.
 *
 * <p>Until the next reboot a record is in the log at most once. After a power cut, a record whose
 * log was moved out of its directory is written again.
 */
public final class FencedLog extends DiskFence<Content> {
    private FencedLog(Path path, Duration wait, boolean observing) {
        super(path, wait, observing);
    }

    public static FencedLog at(Path path) {
        return new FencedLog(path, DEFAULT_WAIT, false);
    }

    /** The same log with another limit on the wait for the lock of another writer. */
    public FencedLog waitingAtMost(Duration bound) {
        return new FencedLog(path(), bound, isObserving());
    }

    /**
     * The same log, observed and not guarded: a write that would be refused is appended and
     * answered {@code Observed}.
     */
    public FencedLog observing() {
        return new FencedLog(path(), maxWait(), true);
    }

    @Override
    TargetKind kind() {
        return TargetKind.LOG;
    }

    @Override
    void requireSuitable(DiskTarget target) {
        target.requireFile();
    }

    @Override
    Staged stage(DiskTarget target, Ids names, Content content, boolean withDigest) throws IOException {
        return StagedRecord.read(target, names, content, withDigest);
    }
}
