package dev.leasehold.fence;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file or directory that a program writes in place, with the fence's step held around it.
 *
 * <p>Guaranteed: no stale token enters, and while one is inside no other Leasehold writer is, even if the lease lapses
 * meanwhile. Not guaranteed: that readers see something whole, and that a crash leaves something whole. A crash leaves a mark
 * in the fence, so that whoever comes next is told. Prefer {@link FencedFile} or {@link FencedDirectory} where the program can
 * write elsewhere first.
 */
public final class InPlaceFence {
    private static final Duration LOOK = Duration.ofMillis(20);

    private final Path path;
    private final Duration wait;

    private InPlaceFence(Path path, Duration wait) {
        this.path = path;
        this.wait = wait;
    }

    public static InPlaceFence at(Path path) {
        return new InPlaceFence(path, DiskFence.DEFAULT_WAIT);
    }

    /** The same target with another bound on the wait for a writer that is inside its step. */
    public InPlaceFence waitingAtMost(Duration bound) {
        return new InPlaceFence(path, bound);
    }

    /** The result of an attempt to begin a write in place. */
    public sealed interface Entry {
        /** The fence is locked and remembers that the target is being written. */
        record Entered(InPlaceWork work) implements Entry {}

        /** Nothing may be written. */
        record Refused(Admission.Refused refusal) implements Entry {}
    }

    /** Locks the fence for as long as the work is open. */
    public Entry enter(Grant grant) {
        DiskTarget target = DiskTarget.resolve(path);
        FenceStep step = null;
        boolean entered = false;
        try {
            step = FenceStep.open(target, grant, new SystemIds(), wait);
            DiskState before = step.state();
            before.requireKind(TargetKind.FILE, path);
            Optional<Admission.Refused> refusal = before.fence().refusal(grant, path);
            if (refusal.isPresent()) {
                return new Entry.Refused(refusal.get());
            }
            step.replace(before.with(before.fence().raisedTo(grant)).with(new Unfinished(grant.token(), null)));
            target.adoptMode(target.fence());
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
            // The lock goes with the channel, whatever its closing says.
        }
    }

    /**
     * The lock goes with the program that held it, and what that program had started may outlive it for a moment. Whoever
     * finds the lock free waits for its end.
     */
    static void awaitEnd(DiskTarget target, Unfinished unfinished, Duration wait) throws IOException {
        WriterProcess worker = unfinished.worker();
        long deadline = System.nanoTime() + wait.toNanos();
        while (worker != null && worker.isAlive()) {
            if (System.nanoTime() - deadline >= 0) {
                throw new TargetUnavailableException(target.file() + ": nothing was changed: process " + worker.pid()
                        + " of token " + unfinished.token() + " still writes it in place, although the program that"
                        + " held the lock for it is gone. End it, then try again");
            }
            try {
                Thread.sleep(LOOK.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ClosedByInterruptException();
            }
        }
    }
}
