package dev.leasehold.cli;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.output.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.InvalidPathException;

/** Reports an exception to the user in one line and returns the exit code. */
public final class Failures {
    private Failures() {}

    public static int report(Throwable failure, String[] args, int commandIndex, Console console) {
        boolean debug = isDebug(args);
        int code = ExitCode.of(failure);
        console.error(line(failure, code, debug, args, commandIndex));
        if (debug) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            trace.toString().lines().forEach(line -> console.err().println(console.safe(line.replace("\t", "    "))));
        }
        return code;
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

    private static boolean isDebug(String[] args) {
        for (String argument : args) {
            if (argument.equals("--")) {
                return false;
            }
            if (argument.equals("--debug")) {
                return true;
            }
        }
        return false;
    }
}
