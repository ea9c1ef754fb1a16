package dev.leasehold.fence;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FenceDecision;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.Ids;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fence of a target on a disk: a hidden file beside the target, with the same permissions.
 *
 * <p>A write stages its content without a lock, locks the fence, checks the token, and records the
 * staged content in the fence as <em>pending</em>. This one durable write is the commit point. Then
 * the content is put in place. A crash before the commit point leaves the old artifact; after a
 * later crash, the next process that locks the fence completes the write. So check and write are
 * one step against every other Leasehold writer. If the content cannot be put in place after the
 * commit point, for example because the target is a mount point, the write is withdrawn before the
 * lock is released: the fence stays raised, the old artifact stays, and a write that may happen
 * only once is not used up.
 *
 * <p>It does not stop a program that writes the target without Leasehold; the fence of a file or of
 * a published directory only notices it at the next step (see {@link FencedPath#changedOutside()}). It gives no guarantee on
 * a network file system whose locks vanish under a paused client (see {@link #weakness()}). Safe
 * for use by many threads and processes.
 *
 * @param <W> the type of what is written
 */
public abstract sealed class DiskFence<W> implements Fence<W> permits FencedFile, FencedDirectory, FencedLog {
    static final Duration DEFAULT_WAIT = Duration.ofSeconds(10);

    private final Path path;
    private final Duration wait;
    private final boolean observing;
    private final Ids ids;

    DiskFence(Path path, Duration wait, boolean observing) {
        this(path, wait, observing, new SystemIds());
    }

    /** @param ids makes the names of staged files */
    DiskFence(Path path, Duration wait, boolean observing, Ids ids) {
        this.path = path;
        this.wait = wait;
        this.observing = observing;
        this.ids = ids;
    }

    abstract TargetKind kind();

    /** @throws TargetUnavailableException if what exists there cannot become this kind of target */
    abstract void requireSuitable(DiskTarget target);

    abstract Staged stage(DiskTarget target, Ids names, W content, boolean withDigest) throws IOException;

    final Path path() {
        return path;
    }

    final Duration maxWait() {
        return wait;
    }

    final Ids ids() {
        return ids;
    }

    final boolean isObserving() {
        return observing;
    }

    @Override
    public final Admission raise(Grant grant) {
        return FencedPath.raise(target(), path, wait, ids, grant);
    }

    @Override
    public final Admission rebind(Grant grant) {
        return FencedPath.at(path).rebind(grant);
    }

    @Override
    public final Admission admit(Grant grant, W content) {
        return write(grant, content, false);
    }

    @Override
    public final Admission admitOnce(Grant grant, W content) {
        return write(grant, content, true);
    }

    /** The state of the fence; empty if the target was never guarded. */
    public final Optional<FenceState> state() {
        DiskTarget target = DiskTarget.resolve(path);
        try {
            if (!Disk.existsNoFollow(target.fence())) {
                return Optional.empty();
            }
            try (FenceStep step = FenceStep.open(target, "reading the fence", wait)) {
                return Optional.of(step.state().fence());
            }
        } catch (IOException e) {
            throw unavailable(path, e, "nothing was changed");
        }
    }

    /** Why the guarantee is weaker here, if it is: the file system's locks can vanish. */
    public final Optional<String> weakness() {
        return DiskTarget.resolve(path).weakness();
    }

    private Admission write(Grant grant, W content, boolean once) {
        DiskTarget target = target();
        Staged staged = stage(target, content, once);
        String consequence = "nothing was written";
        boolean kept = false;
        try (FenceStep step = FenceStep.open(target, grant, ids, wait)) {
            DiskState before = step.state();
            before.requireKind(kind(), path);
            FenceDecision decision = judge(before.fence(), grant, once ? staged.digest() : null);
            if (!(decision instanceof FenceDecision.Admit)) {
                // AlreadyWritten may be answered only when a power cut can no longer undo
                // that write.
                step.sync();
                return decision.answer();
            }
            String pending = staged.prepare(step, once);
            kept = true;
            consequence = "whether it was written is unknown; write again";
            step.replace(
                    before.seen(step).withPending(decision.after(), kind(), pending, staged.placed(grant.token())));
            try {
                staged.put(step);
            } catch (IOException e) {
                if (withdraw(step, staged, e)) {
                    kept = false;
                    consequence = "nothing was written";
                }
                throw e;
            }
            staged.finish(step);
            adoptMode(target, before.fence().raised(), grant);
            return decision.answer();
        } catch (IOException e) {
            throw unavailable(path, e, consequence);
        } finally {
            if (kept) {
                staged.cleanUp();
            } else {
                staged.discard();
            }
        }
    }

    /**
     * A pending write that cannot be completed must not stay, because it would block every
     * later write.
     */
    private static boolean withdraw(FenceStep step, Staged staged, IOException reason) {
        try {
            staged.undo(step);
            step.withdraw();
            return true;
        } catch (IOException e) {
            reason.addSuppressed(e);
            return false;
        }
    }

    private DiskTarget target() {
        DiskTarget target = DiskTarget.resolve(path);
        requireSuitable(target);
        return target;
    }

    private Staged stage(DiskTarget target, W content, boolean withDigest) {
        try {
            return stage(target, ids, content, withDigest);
        } catch (IOException e) {
            throw unavailable(path, e, "nothing was written");
        }
    }

    private FenceDecision judge(FenceState before, Grant grant, @Nullable String onceDigest) {
        return observing ? before.observe(grant, path, onceDigest) : before.judge(grant, path, onceDigest);
    }

    /**
     * The fence of a log contains the end of the log, so its mode must never allow more readers
     * than the log's.
     */
    private void adoptMode(DiskTarget target, FencingToken before, Grant grant) {
        if (before.isBelow(grant.token()) || kind() == TargetKind.LOG) {
            target.tryCopyModeTo(target.fence());
        }
    }

    static TargetUnavailableException unavailable(Path path, IOException e, String consequence) {
        return new TargetUnavailableException(path + ": " + consequence + ": " + explain(e, path), e);
    }

    private static String explain(IOException e, Path path) {
        String reason = e instanceof FileSystemException f ? String.valueOf(f.getReason()) : "";
        return switch (reason) {
            case "Device or resource busy" ->
                path + " is a mount point or in use by the system: it cannot be replaced, only written in place."
                        + " Guard the file that is mounted there, or use 'leasehold exec-fenced'";
            case "Operation not permitted" ->
                "this user may not replace " + path + ": it is immutable or append-only, or it belongs to another user"
                        + " and its directory is sticky. Let its owner write, or move it to a directory that is not sticky";
            default -> Disk.explain(e, path);
        };
    }
}
