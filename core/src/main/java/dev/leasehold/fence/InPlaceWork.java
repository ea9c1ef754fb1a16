package dev.leasehold.fence;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A target that is being written in place. Its fence is locked until this is closed.
 * Not thread-safe.
 */
public final class InPlaceWork implements AutoCloseable {
    private final Path path;
    private final FenceStep step;
    private final @Nullable Unfinished before;

    InPlaceWork(Path path, FenceStep step, @Nullable Unfinished before) {
        this.path = path;
        this.step = step;
        this.before = before;
    }

    /**
     * A warning if an earlier process began to write the target in place and is not known to
     * have succeeded.
     */
    public Optional<String> halfWritten() {
        return before == null ? Optional.empty() : Optional.of(before.warning(path));
    }

    /**
     * Names the process that does the work, or starts those that do, in its own session. If this
     * process dies, no writer enters while a process of that session is known to be alive. Call
     * this before the process can write, because later writers wait only for a recorded process.
     */
    public void doneBy(ProcessHandle worker) {
        mark(mine(WriterProcess.of(worker)));
    }

    /** The work succeeded. The next writer is not warned. */
    public void finished() {
        mark(null);
    }

    /** The work failed. The next writer is warned. */
    public void failed() {
        mark(mine(null));
    }

    private Unfinished mine(@Nullable WriterProcess worker) {
        return new Unfinished(step.state().fence().raised(), worker);
    }

    private void mark(@Nullable Unfinished unfinished) {
        try {
            step.replace(step.state().with(unfinished));
        } catch (IOException e) {
            throw DiskFence.unavailable(path, e, "the state of the work could not be recorded in its fence");
        }
    }

    @Override
    public void close() {
        try {
            step.close();
        } catch (IOException e) {
            throw DiskFence.unavailable(path, e, "its fence could not be unlocked");
        }
    }
}
