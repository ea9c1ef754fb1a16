package dev.leasehold.guard;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.internal.disk.SlotFile;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A file that a stale token cannot replace. The fence lies beside it, hidden, with the same permissions.
 *
 * <p>A write stages its content in a file of its own, locks the fence, checks the token, and makes the fence name the staged
 * file as <em>pending</em>: that one durable write is the commit point. Then the staged file is renamed into place. A crash
 * before the commit point leaves the old artifact; after it, the next one who locks the fence completes the rename. So check
 * and write are one step against every other Leasehold writer, and readers always see a whole file.
 *
 * <p>What it does not do: stop a program that writes the file without Leasehold, or hold on a network file system whose
 * locks vanish under a paused client (see {@link #weakness()}). Safe for use by many threads and processes.
 */
public final class FencedFile implements Fence<Content> {
    private static final Duration DEFAULT_WAIT = Duration.ofSeconds(10);
    private static final Duration STAGED_KEPT = Duration.ofHours(24);

    private final Path path;
    private final Duration wait;
    private final Ids ids = new SystemIds();

    private FencedFile(Path path, Duration wait) {
        this.path = path;
        this.wait = wait;
    }

    public static FencedFile at(Path path) {
        return new FencedFile(path, DEFAULT_WAIT);
    }

    /** The same file with another bound on the wait for a writer that is inside its step. Its lock is never broken. */
    public FencedFile waitingAtMost(Duration bound) {
        return new FencedFile(path, bound);
    }

    @Override
    public Admission raise(Grant grant) {
        FileTarget target = FileTarget.resolve(path);
        try (SlotFile fence = open(target, grant)) {
            FenceState before = recover(target, fence);
            Optional<Admission.Refused> refusal = before.refusal(grant, path);
            if (refusal.isPresent()) {
                return refusal.get();
            }
            FenceState after = before.raisedTo(grant);
            if (after.equals(before)) {
                fence.sync();
            } else {
                fence.replace(after.format());
                target.adoptMode(target.fence());
            }
            sweep(target, after, fence.openedAt());
            return new Admission.Admitted(grant.token());
        } catch (IOException e) {
            throw unavailable(e, "the fence was not raised");
        }
    }

    @Override
    public Admission admit(Grant grant, Content content) {
        return write(grant, content, false);
    }

    @Override
    public Admission admitOnce(Grant grant, Content content) {
        return write(grant, content, true);
    }

    /** What the fence remembers, or empty if the file was never guarded. */
    public Optional<FenceState> state() {
        FileTarget target = FileTarget.resolve(path);
        if (!Files.exists(target.fence())) {
            return Optional.empty();
        }
        try (SlotFile fence = SlotFile.open(target.fence(), SlotFile.Size.SMALL, "reading the fence", wait)) {
            return Optional.of(recover(target, fence));
        } catch (IOException e) {
            throw unavailable(e, "nothing was changed");
        }
    }

    /** Why the guarantee is weaker for this file, if it is: file systems whose locks can vanish. */
    public Optional<String> weakness() {
        return FileTarget.resolve(path).weakness();
    }

    private Admission write(Grant grant, Content content, boolean once) {
        FileTarget target = FileTarget.resolve(path);
        StagedFile staged = stage(target, content, once);
        boolean mayBePending = false;
        try (SlotFile fence = open(target, grant)) {
            FenceState before = recover(target, fence);
            Optional<Admission> answer = judge(before, grant, staged, once);
            if (answer.isPresent()) {
                // A retry may be told so only if the write it repeats cannot be lost any more.
                fence.sync();
                return answer.get();
            }
            if (!Files.exists(staged.path())) {
                throw new TargetUnavailableException(path + ": nothing was written: somebody removed " + staged.path());
            }
            FenceState after = before.raisedTo(grant).writing(staged.name());
            if (once) {
                after = after.usedOnce(staged.digest());
                // The one write must not be used up by a power cut that loses the staged file's name.
                Disk.syncDirectory(target.directory());
            }
            mayBePending = true;
            fence.replace(after.format());
            putInPlace(target, staged.path());
            if (before.raised().isBelow(grant.token())) {
                target.adoptMode(target.fence());
            }
            return new Admission.Admitted(grant.token());
        } catch (IOException e) {
            throw unavailable(
                    e, mayBePending ? "whether the file was replaced is unknown, write again" : "nothing was written");
        } finally {
            if (!mayBePending) {
                staged.discard();
            }
        }
    }

    private Optional<Admission> judge(FenceState before, Grant grant, StagedFile staged, boolean once) {
        Optional<Admission.Refused> refusal = before.refusal(grant, path);
        if (refusal.isPresent()) {
            return Optional.of(refusal.get());
        }
        return once ? before.spent(grant, staged.digest()) : Optional.empty();
    }

    private StagedFile stage(FileTarget target, Content content, boolean withDigest) {
        try {
            return StagedFile.write(target, ids, content, withDigest);
        } catch (IOException e) {
            throw unavailable(e, "nothing was written");
        }
    }

    /** A fence is born with its first grant in it: one that says nothing could not be told from one that lost everything. */
    private SlotFile open(FileTarget target, Grant grant) throws IOException {
        if (!Files.exists(target.fence())) {
            SlotFile.create(
                    target.fence(),
                    SlotFile.Size.SMALL,
                    FenceState.first(grant).format(),
                    target.staged(ids.unique()),
                    staging -> target.giveArtifactsMode(staging, true),
                    target.creationAttributes());
        }
        return SlotFile.open(
                target.fence(), SlotFile.Size.SMALL, "token " + grant.token() + " of " + grant.name(), wait);
    }

    /** Reads the fence, and completes what a crash left decided but not done. */
    private static FenceState recover(FileTarget target, SlotFile fence) throws IOException {
        FenceState state;
        try {
            state = FenceState.parse(fence.text());
        } catch (IllegalArgumentException e) {
            throw new TargetUnavailableException(
                    "the fence " + target.fence() + " cannot be read: " + e.getMessage()
                            + ". Nothing was written; restore it from a backup, or ask before you remove it",
                    e);
        }
        if (state.pending() != null) {
            Path pending = target.directory().resolve(state.pending());
            if (Files.exists(pending)) {
                // The decision first, then what follows from it: the fence must never be below what was written.
                fence.sync();
                putInPlace(target, pending);
            }
        }
        return state;
    }

    private static void putInPlace(FileTarget target, Path staged) throws IOException {
        Files.move(staged, target.file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Disk.syncDirectory(target.directory());
    }

    /** Removes what writers that died left behind; a writer that is staging now is younger than this. */
    private static void sweep(FileTarget target, FenceState state, Instant now) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(
                target.directory(), file -> String.valueOf(file.getFileName()).startsWith(target.stagedPrefix()))) {
            for (Path file : left) {
                boolean pending = String.valueOf(file.getFileName()).equals(state.pending());
                Instant age = Files.getLastModifiedTime(file).toInstant();
                if (!pending && age.plus(STAGED_KEPT).isBefore(now)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private TargetUnavailableException unavailable(IOException e, String consequence) {
        return new TargetUnavailableException(path + ": " + consequence + ": " + Disk.explain(e, path), e);
    }
}
