package dev.leasehold.fence;

import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * A directory that is published as a whole and that a stale token cannot replace, such as a site or
 * a build output. A write takes the path of a directory and copies its tree beside the target.
 *
 * <p>The target is a symbolic link into {@code .NAME.leasehold/}, which holds the versions. One
 * rename of the link publishes a version, so a path below the target leads into the old tree or the
 * new one, each of them complete. A reader that opens two paths one after the other may get one of
 * each. A reader that needs one version opens the directory once and resolves the paths from there.
 * Some earlier versions are kept for readers that still use them, and for going back.
 *
 * <p>Content, modes, modification times, symbolic links and empty directories are copied; the
 * publishing user becomes the owner. Sockets, pipes and devices are refused, and so are relative
 * links that lead out of the tree, because they would point elsewhere from the new location.
 */
public final class FencedDirectory extends DiskFence<Path> {
    private static final int DEFAULT_KEPT = 3;

    private final int kept;
    private final LongConsumer progress;

    private FencedDirectory(Path path, Duration wait, boolean observing, int kept, LongConsumer progress) {
        super(path, wait, observing);
        this.kept = kept;
        this.progress = progress;
    }

    public static FencedDirectory at(Path path) {
        return new FencedDirectory(path, DEFAULT_WAIT, false, DEFAULT_KEPT, files -> {});
    }

    /** The same directory with another limit on the wait for the lock of another writer. */
    public FencedDirectory waitingAtMost(Duration bound) {
        return new FencedDirectory(path(), bound, isObserving(), kept, progress);
    }

    /**
     * The same directory, observed and not guarded: a write that would be refused is published and
     * answered {@code Observed}.
     */
    public FencedDirectory observing() {
        return new FencedDirectory(path(), maxWait(), true, kept, progress);
    }

    /** The same directory, keeping this many versions besides the published one. */
    public FencedDirectory keeping(int versions) {
        if (versions < 0) {
            throw new IllegalArgumentException("the number of versions to keep is negative");
        }
        return new FencedDirectory(path(), maxWait(), isObserving(), versions, progress);
    }

    /**
     * The same directory, with a report of the copying.
     *
     * @param files is told the number of copied files after each, from several threads; if it throws, nothing is published
     */
    public FencedDirectory reporting(LongConsumer files) {
        return new FencedDirectory(path(), maxWait(), isObserving(), kept, files);
    }

    @Override
    TargetKind kind() {
        return TargetKind.DIRECTORY;
    }

    @Override
    void requireSuitable(DiskTarget target) {
        StagedTree.requireSuitable(target);
    }

    @Override
    Staged stage(DiskTarget target, Ids names, Path tree, boolean withDigest) throws IOException {
        return StagedTree.copy(target, names, tree, withDigest, kept, progress);
    }
}
