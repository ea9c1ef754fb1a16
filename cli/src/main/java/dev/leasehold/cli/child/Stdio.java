package dev.leasehold.cli.child;

import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Where the output of the command goes. Its standard input is always that of this program,
 * unchanged.
 */
public final class Stdio {
    private static final Stdio INHERIT = new Stdio(null, null, null);

    private final @Nullable OutputStream out;
    private final @Nullable OutputStream err;
    private final @Nullable Runnable onOutput;

    private Stdio(@Nullable OutputStream out, @Nullable OutputStream err, @Nullable Runnable onOutput) {
        this.out = out;
        this.err = err;
        this.onOutput = onOutput;
    }

    /** The command gets the three streams of this program: a terminal stays a terminal. */
    public static Stdio inherit() {
        return INHERIT;
    }

    /**
     * The output passes through this program, byte for byte.
     *
     * @param out receives the command's standard output; must not buffer, and must throw when its
     *     reader is gone
     * @param err receives its standard error; likewise
     * @param onOutput called after each chunk, from one of two threads
     */
    public static Stdio piped(OutputStream out, OutputStream err, Runnable onOutput) {
        return new Stdio(out, err, onOutput);
    }

    boolean isInherited() {
        return out == null;
    }

    /** Starts to copy the output; empty if the streams are inherited. */
    List<OutputPump> pump(Process process, ThreadFactory threads) {
        return out == null || err == null || onOutput == null
                ? List.of()
                : List.of(
                        new OutputPump(process.getInputStream(), out, onOutput, threads, "leasehold-stdout"),
                        new OutputPump(process.getErrorStream(), err, onOutput, threads, "leasehold-stderr"));
    }
}
