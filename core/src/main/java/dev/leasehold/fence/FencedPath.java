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

/**
 * Raises the fence of a target on a disk without knowing its kind: a file, a published directory, a
 * log or a target that is written in place. The first write determines the kind.
 */
public final class FencedPath {
    private static final Duration STAGED_KEPT = Duration.ofHours(24);

    private static final long NO_FENCE = -1;

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

    /** Whether the target was ever guarded. */
    public boolean isFenced() {
        return version() != NO_FENCE;
    }

    /** A number that rises with every change of the fence; negative if there is no fence. */
    public long version() {
        Path fence = DiskTarget.resolve(path).fence();
        try {
            return Disk.existsNoFollow(fence)
                    ? TwoCopyFile.peekSequence(fence, TwoCopyFile.Size.SMALL, DiskFence.DEFAULT_WAIT)
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
        Path fence = DiskTarget.resolve(path).fence();
        try {
            if (!Disk.exists(fence)) {
                return Optional.empty();
            }
            String text = TwoCopyFile.peek(fence, TwoCopyFile.Size.SMALL, DiskFence.DEFAULT_WAIT);
            Unfinished unfinished = DiskState.parse(text).unfinished();
            return unfinished == null ? Optional.empty() : Optional.of(unfinished.warning(path));
        } catch (IOException e) {
            throw DiskFence.unavailable(path, e, "nothing was changed");
        }
    }

    static Admission raise(DiskTarget target, Path path, Duration wait, Ids ids, Grant grant) {
        try (FenceStep step = FenceStep.open(target, grant, ids, wait)) {
            DiskState before = step.state();
            FenceDecision decision = before.fence().judge(grant, path, null);
            if (decision instanceof FenceDecision.Refuse) {
                return decision.answer();
            }
            if (decision.after().equals(before.fence())) {
                step.sync();
            } else {
                step.replace(before.with(decision.after()));
                target.tryCopyModeTo(target.fence());
            }
            sweep(step);
            return decision.answer();
        } catch (IOException e) {
            throw DiskFence.unavailable(path, e, "the fence was not raised");
        }
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
