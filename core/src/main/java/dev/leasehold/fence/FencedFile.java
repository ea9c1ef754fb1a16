package dev.leasehold.fence;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A file that a stale token cannot replace. The content is staged in a temporary file and renamed
 * into place, so readers always see a complete file.
 */
public final class FencedFile extends DiskFence<Content> {
    private FencedFile(Path path, Duration wait, boolean observing, Ids ids) {
        super(path, wait, observing, ids);
    }

    public static FencedFile at(Path path) {
        return at(path, new SystemIds());
    }

    /** @param ids makes the names of staged files; a simulator derives them from its seed */
    public static FencedFile at(Path path, Ids ids) {
        return new FencedFile(path, DEFAULT_WAIT, false, ids);
    }

    /**
     * The same file with another limit on the wait for the lock of another writer. The lock is
     * never broken.
     */
    public FencedFile waitingAtMost(Duration bound) {
        return new FencedFile(path(), bound, isObserving(), ids());
    }

    /**
     * The same file, observed and not guarded: a write that would be refused is made and answered
     * {@code Observed}.
     */
    public FencedFile observing() {
        return new FencedFile(path(), maxWait(), true, ids());
    }

    @Override
    TargetKind kind() {
        return TargetKind.FILE;
    }

    @Override
    void requireSuitable(DiskTarget target) {
        target.requireFile();
    }

    @Override
    Staged stage(DiskTarget target, Ids names, Content content, boolean withDigest) throws IOException {
        return StagedFile.write(target, names, content, withDigest);
    }
}
