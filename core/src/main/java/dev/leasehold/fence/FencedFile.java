package dev.leasehold.fence;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A file that a stale token cannot replace. The content is staged in a file of its own and renamed into place, so readers
 * always see a whole file.
 */
public final class FencedFile extends DiskFence<Content> {
    private FencedFile(Path path, Duration wait, boolean observing, Ids ids) {
        super(path, wait, observing, ids);
    }

    public static FencedFile at(Path path) {
        return at(path, new SystemIds());
    }

    /** @param ids names for what is staged; a simulator draws them from its seed */
    public static FencedFile at(Path path, Ids ids) {
        return new FencedFile(path, DEFAULT_WAIT, false, ids);
    }

    /** The same file with another bound on the wait for a writer that is inside its step. Its lock is never broken. */
    public FencedFile waitingAtMost(Duration bound) {
        return new FencedFile(path(), bound, isObserving(), ids());
    }

    /** The same file, not guarded but watched: what would be refused is written, and {@code Observed} answered. */
    public FencedFile observing() {
        return new FencedFile(path(), patience(), true, ids());
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
