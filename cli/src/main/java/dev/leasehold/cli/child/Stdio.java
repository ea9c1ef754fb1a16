package dev.leasehold.cli.child;

import java.io.OutputStream;

/** Where the command's output goes. Its standard input is always the wrapper's own, untouched. */
public sealed interface Stdio {
    /** The command gets the wrapper's three streams themselves: a terminal stays a terminal. */
    static Stdio inherit() {
        return new Inherit();
    }

    /**
     * Output passes through the wrapper, byte for byte.
     *
     * @param out where the command's standard output is written; must not buffer, and must throw when its reader is gone
     * @param err where its standard error is written; likewise
     * @param onOutput called after each chunk, from one of two threads
     */
    static Stdio piped(OutputStream out, OutputStream err, Runnable onOutput) {
        return new Piped(out, err, onOutput);
    }

    /** See {@link #inherit()}. */
    record Inherit() implements Stdio {}

    /** See {@link #piped}. */
    record Piped(OutputStream out, OutputStream err, Runnable onOutput) implements Stdio {}
}
