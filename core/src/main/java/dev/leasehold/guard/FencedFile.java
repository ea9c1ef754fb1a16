package dev.leasehold.guard;

import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A file that a stale token cannot replace. The content is staged in a file of its own and renamed into place, so readers
 * always see a whole file.
 */
public final class FencedFile extends DiskFence<Content> {
    private FencedFile(Path path, Duration wait, boolean observing) {
        super(path, wait, observing);
    }

    public static FencedFile at(Path path) {
        return new FencedFile(path, DEFAULT_WAIT, false);
    }

    /** The same file with another bound on the wait for a writer that is inside its step. Its lock is never broken. */
    public FencedFile waitingAtMost(Duration bound) {
        return new FencedFile(path(), bound, isObserving());
    }

    /** The same file, not guarded but watched: what would be refused is written, and {@code Observed} answered. */
    public FencedFile observing() {
        return new FencedFile(path(), patience(), true);
    }

    @Override
    TargetKind kind() {
        return TargetKind.FILE;
    }

    @Override
    void requirePlace(DiskTarget target) {
        target.requireFile();
    }

    @Override
    Staged stage(DiskTarget target, Ids names, Content content, boolean withDigest) throws IOException {
        return StagedFile.write(target, names, content, withDigest);
    }
}
