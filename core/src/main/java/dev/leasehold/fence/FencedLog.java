package dev.leasehold.fence;

import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A log to which a stale token cannot append. What is written is one record: one or more whole lines, which no other
 * record's lines get in between.
 *
 * <p>A short record is decided by being written into the fence, together with the short ones before it that the log may not
 * hold durably yet: one sync of the fence, none of the log. A record that is cut short by a crash is completed from there;
 * none that was acknowledged is lost. Long records are staged in a file of their own.
 *
 * <p>What others append without Leasehold is kept, and a line that they left open is ended first: the log is opened for
 * appending, and nothing in it is ever overwritten. A log that was moved away or emptied is begun anew. If it is moved away in
 * the middle of a step, the record is in the file that was moved.
 *
 * <p>As long as the system runs a record is there at most once. After a power cut, one that cannot be found any more, because
 * its log was moved out of its directory meanwhile, is written again.
 */
public final class FencedLog extends DiskFence<Content> {
    private FencedLog(Path path, Duration wait, boolean observing) {
        super(path, wait, observing);
    }

    public static FencedLog at(Path path) {
        return new FencedLog(path, DEFAULT_WAIT, false);
    }

    /** The same log with another bound on the wait for a writer that is inside its step. */
    public FencedLog waitingAtMost(Duration bound) {
        return new FencedLog(path(), bound, isObserving());
    }

    /** The same log, not guarded but watched: what would be refused is appended, and {@code Observed} answered. */
    public FencedLog observing() {
        return new FencedLog(path(), patience(), true);
    }

    @Override
    TargetKind kind() {
        return TargetKind.LOG;
    }

    @Override
    void requirePlace(DiskTarget target) {
        target.requireFile();
    }

    @Override
    Staged stage(DiskTarget target, Ids names, Content content, boolean withDigest) throws IOException {
        return StagedRecord.read(target, names, content, withDigest);
    }
}
