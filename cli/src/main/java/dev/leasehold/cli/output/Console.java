package dev.leasehold.cli.output;

import dev.leasehold.internal.Secrets;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The program's three streams. Answers go to stdout; whatever the program has to say about itself goes to stderr, one
 * line each, prefixed {@code leasehold:}. Safe for use by many threads.
 */
public final class Console {
    private static final int MAX_LINE = 2000;

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;
    private volatile boolean quiet;
    private volatile List<String> secrets = List.of();

    public Console(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    public InputStream in() {
        return in;
    }

    /** For answers; a reader that went away shows only in {@code checkError()}. */
    public PrintStream out() {
        return out;
    }

    /** For what is not made of lines of ours, such as a stack trace. */
    public PrintStream err() {
        return err;
    }

    /** From now on only errors are said. */
    public void beQuiet() {
        quiet = true;
    }

    public boolean isQuiet() {
        return quiet;
    }

    /** From now on what is secret in this URL is blotted out of everything that is said. */
    public void hideSecretsOf(String url) {
        List<String> more = new ArrayList<>(secrets);
        more.addAll(Secrets.in(url));
        secrets = more;
    }

    /** Something that is good to know, on stderr; not said when quiet. */
    public void say(String line) {
        if (!quiet) {
            error(line);
        }
    }

    /** An error, on stderr; always said. */
    public void error(String line) {
        String safe = safe(line);
        err.println("leasehold: ".concat(safe.length() <= MAX_LINE ? safe : safe.substring(0, MAX_LINE)));
    }

    /** A line of an answer for people, on stdout; not said when quiet, since the exit code says it too. */
    public void tell(String line) {
        if (!quiet) {
            out.println(safe(line));
        }
    }

    /** What the command was asked for, on stdout, even when quiet. */
    public void print(String line) {
        out.println(line);
    }

    public String safe(String line) {
        return SafeText.escape(Secrets.hide(line, secrets));
    }
}
