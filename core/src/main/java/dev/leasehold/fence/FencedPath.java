package dev.leasehold.fence;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.TwoCopyFile;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FenceDecision;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Raises the fence of a target on a disk without knowing its kind: a file, a published directory, a
 * log or a target that is written in place. The first write determines the kind.
 */
public final class FencedPath {
    private static final Duration STAGED_KEPT = Duration.ofHours(24);

    private static final long NO_FENCE = -1;
    private static final int MAX_LOOKS = 3;

    private final Path path;

    private FencedPath(Path path) {
        this.path = path;
    }

    public static FencedPath at(Path path) {
        return new FencedPath(path);
    }

    /** As {@link Fence#raise}. */
    public Admission raise(Grant grant) {
        return raise(DiskTarget.resolve(path), path, DiskFence.DEFAULT_WAIT, new SystemIds(), grant);
    }

    /** As {@link Fence#rebind}. */
    public Admission rebind(Grant grant) {
        DiskTarget target = DiskTarget.resolve(path);
        try (FenceStep step = FenceStep.open(target, "rebinding to token " + grant.token(), DiskFence.DEFAULT_WAIT)) {
            return raise(step, step.state().fence().rebind(grant, path));
        } catch (IOException e) {
            throw DiskFence.unavailable(path, e, "the fence was not changed");
        }
    }

    /** What the fence remembers; empty if the target was never guarded. Reads without a lock. */
    public Optional<FenceDetails> details() {
        DiskTarget target = DiskTarget.resolve(path);
        DiskState state = peek(target);
        if (state == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(FenceDetails.of(target, state));
        } catch (IOException e) {
            throw DiskFence.unavailable(path, e, "nothing was changed");
        }
    }

    /**
     * Where the fence of the target is, or would be. Two paths that lead to one target have one
     * fence.
     *
     * @throws TargetUnavailableException if the target cannot be reached
     */
    public Path fence() {
        return DiskTarget.resolve(path).fence();
    }

    /** The file or directory that is guarded, where the links of the path lead. */
    public Path file() {
        return DiskTarget.resolve(path).file();
    }

    /** Whether the target was ever guarded. */
    public boolean isFenced() {
        return version() != NO_FENCE;
    }

    /** A number that rises with every change of the fence; negative if there is no fence. */
    public long version() {
        Path fence = DiskTarget.resolve(path).fence();
        try {
            return Disk.existsNoFollow(fence)
                    ? TwoCopyFile.glance(fence, TwoCopyFile.Size.SMALL, DiskFence.DEFAULT_WAIT)
                            .sequence()
                    : NO_FENCE;
        } catch (IOException e) {
            throw DiskFence.unavailable(path, e, "nothing was changed");
        }
    }

    /** Why the guarantee is weaker on this file system, if it is. */
    public Optional<String> weakness() {
        return DiskTarget.resolve(path).weakness();
    }

    /**
     * A warning if a process began to write the target in place and is not known to have succeeded.
     */
    public Optional<String> halfWritten() {
        DiskState state = peek(DiskTarget.resolve(path));
        Unfinished unfinished = state == null ? null : state.unfinished();
        return unfinished == null ? Optional.empty() : Optional.of(unfinished.warning(path));
    }

    /**
     * A warning if another program changed the file, or the link to a published directory, since its
     * last write through the fence. The next step through the fence counts the change, and takes the
     * target as it is then.
     */
    public Optional<String> changedOutside() {
        DiskTarget target = DiskTarget.resolve(path);
        for (int tries = 0; tries < MAX_LOOKS; tries++) {
            DiskState state = peek(target);
            if (state == null || state.placement().now() == null) {
                return Optional.empty();
            }
            boolean changed = isChanged(target, state);
            // Another writer may have put its file in place between the two looks.
            if (!changed || state.equals(peek(target))) {
                return changed ? Optional.of(state.placement().warning(path)) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private boolean isChanged(DiskTarget target, DiskState state) {
        try {
            boolean beingWritten = StagedFile.isStaged(target, state);
            return !beingWritten
                    && !state.placement()
                            .isUntouched(Placement.Artifact.of(state.fence().raised(), target.file()));
        } catch (IOException e) {
            throw DiskFence.unavailable(path, e, "nothing was changed");
        }
    }

    private @Nullable DiskState peek(DiskTarget target) {
        try {
            return Disk.exists(target.fence())
                    ? FenceStep.parse(
                            target, TwoCopyFile.peek(target.fence(), TwoCopyFile.Size.SMALL, DiskFence.DEFAULT_WAIT))
                    : null;
        } catch (IOException e) {
            throw DiskFence.unavailable(path, e, "nothing was changed");
        }
    }

    static Admission raise(DiskTarget target, Path path, Duration wait, Ids ids, Grant grant) {
        try (FenceStep step = FenceStep.open(target, grant, ids, wait)) {
            return raise(step, step.state().fence().judge(grant, path, null));
        } catch (IOException e) {
            throw DiskFence.unavailable(path, e, "the fence was not raised");
        }
    }

    private static Admission raise(FenceStep step, FenceDecision decision) throws IOException {
        if (decision instanceof FenceDecision.Refuse) {
            return decision.answer();
        }
        DiskState before = step.state();
        DiskState after = before.with(decision.after()).seen(step);
        if (after.equals(before)) {
            step.sync();
        } else {
            step.replace(after);
            step.target().tryCopyModeTo(step.target().fence());
        }
        sweep(step);
        return decision.answer();
    }

    /**
     * Deletes staged files of writers that died; those of live writers are younger. The fence is
     * already raised, so failures are ignored: files of other users in a sticky directory stay.
     */
    private static void sweep(FenceStep step) {
        DiskTarget target = step.target();
        try {
            for (Path file : Disk.list(target.directory(), target.stagedPrefix())) {
                boolean pending =
                        String.valueOf(file.getFileName()).equals(step.state().pending());
                if (!pending && isAbandoned(file, step.openedAt())) {
                    Disk.deleteQuietly(file);
                }
            }
        } catch (IOException e) {
            // Another process sweeps at the same time, or this user may not read the directory.
        }
    }

    static boolean isAbandoned(Path staged, Instant now) throws IOException {
        try {
            return Files.getLastModifiedTime(staged, LinkOption.NOFOLLOW_LINKS)
                    .toInstant()
                    .plus(STAGED_KEPT)
                    .isBefore(now);
        } catch (NoSuchFileException e) {
            // Its writer, which needs no lock to stage, has just removed it.
            return false;
        }
    }
}
