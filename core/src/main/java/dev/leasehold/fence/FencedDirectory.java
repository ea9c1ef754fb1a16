package dev.leasehold.fence;

import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A directory that is published as a whole, and that a stale token cannot replace: a site, a build's output. What is written
 * is the path of a directory, whose tree is copied beside the target.
 *
 * <p>The target is a symbolic link into {@code .NAME.leasehold/}, where the versions lie; one rename of the link publishes a
 * version. So a path below the target leads into the old tree or the new one, each of them whole. Somebody who opens two
 * paths one after the other may get one of each; who needs both of one version opens the directory once and goes on from
 * there. Some earlier versions are kept for those who are still reading them, and for going back.
 *
 * <p>Copied are content, modes, times of modification, symbolic links and empty directories; the owner is who publishes.
 * Refused are sockets, pipes and devices, and relative links that lead out of the tree, which would lead elsewhere from the
 * new place.
 */
public final class FencedDirectory extends DiskFence<Path> {
    private static final int DEFAULT_KEPT = 3;

    private final int kept;

    private FencedDirectory(Path path, Duration wait, boolean observing, int kept) {
        super(path, wait, observing);
        this.kept = kept;
    }

    public static FencedDirectory at(Path path) {
        return new FencedDirectory(path, DEFAULT_WAIT, false, DEFAULT_KEPT);
    }

    /** The same directory with another bound on the wait for a writer that is inside its step. */
    public FencedDirectory waitingAtMost(Duration bound) {
        return new FencedDirectory(path(), bound, isObserving(), kept);
    }

    /** The same directory, not guarded but watched: what would be refused is published, and {@code Observed} answered. */
    public FencedDirectory observing() {
        return new FencedDirectory(path(), patience(), true, kept);
    }

    /** The same directory with so many versions kept besides the one that is published. */
    public FencedDirectory keeping(int versions) {
        if (versions < 0) {
            throw new IllegalArgumentException("the number of versions to keep is negative");
        }
        return new FencedDirectory(path(), patience(), isObserving(), versions);
    }

    @Override
    TargetKind kind() {
        return TargetKind.DIRECTORY;
    }

    @Override
    void requirePlace(DiskTarget target) {
        StagedTree.requirePlace(target);
    }

    @Override
    Staged stage(DiskTarget target, Ids names, Path tree, boolean withDigest) throws IOException {
        return StagedTree.copy(target, names, tree, withDigest, kept);
    }
}
