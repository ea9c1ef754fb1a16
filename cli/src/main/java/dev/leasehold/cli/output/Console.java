package dev.leasehold.cli.output;

import dev.leasehold.internal.Secrets;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The three streams of the program. Answers go to stdout; messages about the program go to stderr,
 * one line each, prefixed {@code leasehold:}. Safe for use by many threads.
 */
public final class Console {
    private static final int MAX_LINE = 2000;

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;
    private volatile MessageStyle style = MessageStyle.PREFIXED;
    private volatile PrintStream messages;
    private volatile boolean quiet;
    private volatile List<String> secrets = List.of();
    private volatile boolean answered;
    private volatile boolean lossTold;
    private volatile String lastError = "";
    private volatile @Nullable String changed;

    public Console(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
        this.messages = err;
    }

    public InputStream in() {
        return in;
    }

    /** The stream for answers. Only {@code checkError()} shows that its reader is gone. */
    public PrintStream out() {
        return out;
    }

    /** The stream for text that is not a message, such as a stack trace. */
    public PrintStream err() {
        return err;
    }

    /** From now on, prints only errors. */
    public void beQuiet() {
        quiet = true;
    }

    public boolean isQuiet() {
        return quiet;
    }

    /** From now on, hides the secrets of this URL in all messages. */
    public void hideSecretsOf(String url) {
        List<String> more = new ArrayList<>(secrets);
        more.addAll(Secrets.in(url));
        secrets = more;
    }

    /** From now on, messages have this style and go to this stream. */
    public void style(MessageStyle newStyle, PrintStream stream) {
        style = newStyle;
        messages = stream;
    }

    /** Prints a message on stderr, unless quiet. */
    public void say(String line) {
        if (!quiet) {
            message(line, false);
        }
    }

    /** Prints an error on stderr, even when quiet. */
    public void error(String line) {
        message(line, true);
    }

    private void message(String line, boolean error) {
        String hidden = Secrets.hide(line, secrets);
        lastError = hidden;
        String safe = SafeText.escape(hidden);
        messages.println(style.line(safe.length() <= MAX_LINE ? safe : safe.substring(0, MAX_LINE), error));
    }

    /** Prints an answer for people on stdout, unless quiet: the exit code carries it too, or no answer says the same. */
    public void tell(String line) {
        if (!quiet) {
            out.println(safe(line));
        }
    }

    /** Prints the requested output on stdout, even when quiet. */
    public void print(String line) {
        answered = true;
        out.println(line);
    }

    /** The last message on stderr, without secrets. */
    public String lastError() {
        return lastError;
    }

    /** Whether requested output was printed. */
    public boolean hasAnswered() {
        return answered;
    }

    /** Notes that the command itself has told that its answer is lost, and what it did about it. */
    public void toldThatAnswerIsLost() {
        lossTold = true;
    }

    /** Notes what the command has changed, for the message that its answer was lost. */
    public void changed(String what) {
        changed = what;
    }

    /**
     * Whether requested output could not be written; then says so. Lines for people do not count,
     * because the exit code carries them.
     *
     * @param code the exit code of the command itself
     */
    public boolean reportLostAnswer(int code) {
        String why = null;
        if (answered && !lossTold) {
            why = out instanceof Stdout stdout ? stdout.lost() : out.checkError() ? "it is closed" : null;
        }
        if (why != null) {
            String known = changed;
            if (known == null) {
                known = code == 0 ? "the command itself succeeded" : "its exit code " + code + " is right";
            }
            error("the answer is lost: stdout cannot be written (" + why + "); " + known);
        }
        return why != null;
    }

    /** The line without secrets and control characters. */
    public String safe(String line) {
        return SafeText.escape(Secrets.hide(line, secrets));
    }
}
