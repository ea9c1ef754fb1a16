package dev.leasehold.fence;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A target while it is written in place: its fence is locked until this is closed. For one thread. */
public final class InPlaceWork implements AutoCloseable {
    private final Path path;
    private final FenceStep step;
    private final @Nullable Unfinished before;

    InPlaceWork(Path path, FenceStep step, @Nullable Unfinished before) {
        this.path = path;
        this.step = step;
        this.before = before;
    }

    /** A warning, if somebody before began to write the target in place and did not end well. */
    public Optional<String> halfWritten() {
        return before == null ? Optional.empty() : Optional.of(before.warning(path));
    }

    /**
     * Another process does the work, or starts those who do, in its own session. Should this one die, nobody enters while that
     * one, or another of its session, can be seen to live. To be said before anything can be written: one that is not known
     * is not waited for.
     */
    public void doneBy(ProcessHandle worker) {
        mark(mine(WriterProcess.of(worker)));
    }

    /** The work ended, and well: whoever comes next need not be warned. */
    public void finished() {
        mark(null);
    }

    /** The work ended, but not well: whoever comes next is warned. */
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
            throw DiskFence.unavailable(path, e, "its fence could not be told how the work stands");
        }
    }

    @Override
    public void close() {
        try {
            step.close();
        } catch (IOException e) {
            throw DiskFence.unavailable(path, e, "its fence could not be let go");
        }
    }
}
