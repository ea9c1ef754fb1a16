package dev.leasehold.fence;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FenceDecision;
import dev.leasehold.model.Grant;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory that a program writes in place while the fence is locked.
 *
 * <p>Guaranteed: no stale token enters, and no other Leasehold writer enters meanwhile, even if the
 * lease lapses. Not guaranteed: readers may see a partly written target, and a crash may leave one.
 * A crash leaves a mark in the fence, which warns the next writer. Prefer {@link FencedFile} or
 * {@link FencedDirectory} if the program can write elsewhere first.
 */
public final class InPlaceFence {
    private static final Duration POLL = Duration.ofMillis(20);

    private final Path path;
    private final Duration wait;

    private InPlaceFence(Path path, Duration wait) {
        this.path = path;
        this.wait = wait;
    }

    public static InPlaceFence at(Path path) {
        return new InPlaceFence(path, DiskFence.DEFAULT_WAIT);
    }

    /** The same target with another limit on the wait for the lock of another writer. */
    public InPlaceFence waitingAtMost(Duration bound) {
        return new InPlaceFence(path, bound);
    }

    /** The answer to {@link #enter}. */
    public sealed interface Entry {
        /** The fence is locked and marks the target as being written. */
        record Entered(InPlaceWork work) implements Entry {}

        /** The caller must not write. */
        record Refused(Admission.Refused refusal) implements Entry {}
    }

    /** Locks the fence until the returned work is closed. */
    public Entry enter(Grant grant) {
        DiskTarget target = DiskTarget.resolve(path);
        FenceStep step = null;
        boolean entered = false;
        try {
            step = FenceStep.open(target, grant, new SystemIds(), wait);
            DiskState before = step.state();
            before.requireKind(TargetKind.FILE, path);
            FenceDecision decision = before.fence().judge(grant, path, null);
            if (decision instanceof FenceDecision.Refuse refuse) {
                return new Entry.Refused(refuse.answer());
            }
            // The program changes the file under the fence, so it is not watched until the next write.
            Placement unknown = before.seen(step).placement().unknown();
            step.replace(before.with(decision.after())
                    .with(new Unfinished(grant.token(), null))
                    .with(unknown));
            target.tryCopyModeTo(target.fence());
            entered = true;
            return new Entry.Entered(new InPlaceWork(path, step, before.unfinished()));
        } catch (IOException e) {
            throw DiskFence.unavailable(path, e, "nothing was written");
        } finally {
            if (!entered) {
                close(step);
            }
        }
    }

    private static void close(@Nullable FenceStep step) {
        try {
            if (step != null) {
                step.close();
            }
        } catch (IOException e) {
            // The lock ends with the channel even if closing fails.
        }
    }

    /**
     * Waits for the processes of an earlier writer. When a program dies its lock is free at once,
     * but processes that it started may live a little longer.
     */
    static void awaitEnd(DiskTarget target, Unfinished unfinished, Duration wait) throws IOException {
        WriterProcess worker = unfinished.worker();
        long deadline = System.nanoTime() + wait.toNanos();
        while (worker != null && worker.isAlive()) {
            if (System.nanoTime() - deadline >= 0) {
                throw new TargetUnavailableException(target.file() + ": nothing was changed: process " + worker.pid()
                        + " of token " + unfinished.token() + " is still writing it in place, although the program"
                        + " that held the lock has ended. End the process, then try again");
            }
            try {
                Thread.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ClosedByInterruptException();
            }
        }
    }
}
