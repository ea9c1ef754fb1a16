package dev.leasehold.cli.output;

import dev.leasehold.model.DurationText;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Shows how far a long command is, on stderr: one line that is drawn over itself on a terminal, and otherwise a line now and
 * then. Work that is soon done shows nothing. Safe for use by many threads.
 */
public final class ProgressBar implements LongConsumer, AutoCloseable {
    private static final long SECOND = 1_000_000_000L;
    private static final long REDRAW_NANOS = 100_000_000L;
    private static final long LINE_NANOS = 10_000_000_000L;
    private static final int WIDTH = 30;
    private static final String CLEAR = "\r\033[K";

    private final Console console;
    private final boolean terminal;
    private final String what;
    private final LongSupplier nanos;
    private final long began;
    private long total;
    private long done;
    private long lastShown;
    private boolean drawn;
    private boolean closed;

    /** @param what what is counted, such as {@code histories} */
    public ProgressBar(Console console, String what, long total) {
        this(console, what, total, Terminal.isOnStderr(), System::nanoTime);
    }

    ProgressBar(Console console, String what, long total, boolean terminal, LongSupplier nanos) {
        this.console = console;
        this.what = what;
        this.total = total;
        this.terminal = terminal;
        this.nanos = nanos;
        this.began = nanos.getAsLong();
        this.lastShown = began;
        if (terminal) {
            // A message that comes meanwhile takes the place of the bar, which is then drawn below it.
            console.style((message, error) -> CLEAR + MessageStyle.PREFIXED.line(message, error), console.err());
        }
    }

    /** Sets how many there are; zero if that is not known. */
    public synchronized void outOf(long newTotal) {
        total = newTotal;
    }

    /** How many are done. */
    public synchronized long done() {
        return done;
    }

    /** Called often, with the number of those that are done. */
    @Override
    public synchronized void accept(long newDone) {
        done = Math.max(done, newDone);
        long now = nanos.getAsLong();
        if (closed || console.isQuiet() || now - lastShown < (terminal ? REDRAW_NANOS : LINE_NANOS)) {
            return;
        }
        lastShown = now;
        String text = text(now);
        if (terminal) {
            PrintStream err = console.err();
            err.print(CLEAR + bar() + text);
            err.flush();
            drawn = true;
        } else {
            console.say(text);
        }
    }

    private String bar() {
        if (total <= 0 || done > total) {
            return "";
        }
        int full = (int) (done * WIDTH / total);
        return "[" + "#".repeat(full) + " ".repeat(WIDTH - full) + "] ";
    }

    private String text(long now) {
        if (total <= 0 || done > total) {
            long seconds = Math.max(1, (now - began) / SECOND);
            return done + " " + what + ", " + done / seconds + " a second";
        }
        return done + " of " + total + " " + what + ", " + done * 100 / total + " %" + left(now);
    }

    /** How long it takes if it goes on as before. */
    private String left(long now) {
        if (done == 0) {
            return "";
        }
        double seconds = (double) (now - began) / SECOND * (total - done) / done;
        return ", " + DurationText.show(Duration.ofSeconds((long) Math.ceil(seconds))) + " left";
    }

    /** Removes the bar. */
    @Override
    public synchronized void close() {
        closed = true;
        if (drawn) {
            console.err().print(CLEAR);
            console.err().flush();
        }
        if (terminal) {
            console.style(MessageStyle.PREFIXED, console.err());
        }
    }
}
