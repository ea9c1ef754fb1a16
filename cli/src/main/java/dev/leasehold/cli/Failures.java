package dev.leasehold.cli;

import dev.leasehold.cli.args.CommonOptions;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.InvalidPathException;
import org.jspecify.annotations.Nullable;

/** Reports an exception to the user in one line and returns the exit code. */
public final class Failures {
    private Failures() {}

    public static int report(Throwable failure, String[] args, int commandIndex, Console console) {
        boolean debug = CommonOptions.isGiven(CommonOptions.DEBUG, args);
        int code = ExitCode.of(failure);
        console.error(line(failure, code, debug, args, commandIndex));
        if (debug) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            trace.toString().lines().forEach(line -> console.err().println(console.safe(line.replace("\t", "    "))));
        }
        answer(code, args, console);
        return code;
    }

    /** With {@code --json}, a command that failed before it answered repeats its last message on stdout. */
    static void answer(int code, String[] args, Console console) {
        String outcome = outcome(code);
        if (outcome != null && CommonOptions.isGiven(CommonOptions.JSON, args) && !console.hasAnswered()) {
            console.print(new Json()
                    .put("outcome", outcome)
                    .put("detail", console.lastError())
                    .toString());
        }
    }

    private static String line(Throwable failure, int code, boolean debug, String[] args, int commandIndex) {
        String message = messageOf(failure);
        if (failure instanceof UsageException) {
            String name = commandIndex < args.length ? args[commandIndex] : "";
            boolean known = Commands.names().contains(name);
            return message + " (see 'leasehold " + (known ? name + " " : "") + "--help')";
        }
        if (code == ExitCode.INTERNAL) {
            return "internal error: " + failure.getClass().getSimpleName() + ": " + message
                    + (debug ? "" : "; run the command again with --debug and report the output");
        }
        return message;
    }

    private static String messageOf(Throwable failure) {
        if (failure instanceof InvalidPathException path) {
            // The message of the exception repeats the whole input.
            return "invalid path on this system: " + path.getReason();
        }
        return String.valueOf(failure.getMessage());
    }

    private static @Nullable String outcome(int code) {
        return switch (code) {
            case ExitCode.FAILED -> "failed";
            case ExitCode.BUSY -> "busy";
            case ExitCode.NOT_CURRENT -> "not-current";
            case ExitCode.STALE -> "stale";
            case ExitCode.TIMEOUT -> "timed-out";
            case ExitCode.USAGE -> "usage";
            case ExitCode.UNAVAILABLE -> "unavailable";
            case ExitCode.INTERNAL -> "internal";
            case ExitCode.INTERRUPTED -> "interrupted";
            default -> null;
        };
    }
}
