package dev.leasehold.cli.leased;

import dev.leasehold.Lease;
import dev.leasehold.cli.child.CommandLookup;
import dev.leasehold.cli.child.Stdio;
import dev.leasehold.cli.child.SupervisedCommand;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.SafeText;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command that runs under a lease: it is ended when the lease is lost, and when its own time is up.
 *
 * @param directory where it starts, with nothing on its standard input; null for where we are, with our own input
 * @param timeout how long it may take, or null
 * @param progressOnOutput whether anything it prints counts as progress
 */
public record LeasedCommand(
        List<String> words, @Nullable Path directory, @Nullable Duration timeout, boolean progressOnOutput) {
    /**
     * How it ended.
     *
     * @param trusted whether the lease was, all the time
     */
    public record Ended(int code, boolean trusted, boolean timedOut) {}

    /** Runs it to its end. The lease stays held. An interrupt stops it first, and is passed on when it is dead. */
    public Ended run(Lease lease, Map<String, String> variables, CommandHandle handle)
            throws IOException, InterruptedException {
        SupervisedCommand command = SupervisedCommand.start(
                words,
                variables,
                CommandEnvironment.REMOVED,
                lease::remaining,
                lease.terms().grace(),
                stdio(lease, handle),
                directory);
        try {
            handle.started(command);
            lease.onLost(loss -> command.stop());
            boolean timedOut = timeout != null && !command.waitFor(timeout);
            if (timedOut) {
                command.stop();
            }
            int code = command.waitFor();
            return new Ended(code, lease.isTrusted() && !command.endedAtDeadline(), timedOut);
        } catch (InterruptedException | RuntimeException | Error e) {
            // Whatever it was: the lease must not be given back while the command lives.
            command.stop();
            if (!waitInAnyCase(command)) {
                lease.detach(); // not given back before its ttl: by then the guard has ended the command
            }
            throw e;
        }
    }

    /**
     * Whoever told this thread to stop must not take the command for dead before it is. Its deadline bounds the wait. False if
     * nobody can tell whether it is dead.
     */
    private static boolean waitInAnyCase(SupervisedCommand command) {
        while (true) {
            try {
                command.waitFor();
                return true;
            } catch (InterruptedException again) {
                // Told twice: it is being stopped already.
            } catch (UncheckedIOException cannotLook) {
                return false;
            }
        }
    }

    private Stdio stdio(Lease lease, CommandHandle handle) {
        if (!progressOnOutput) {
            return Stdio.inherit();
        }
        return Stdio.piped(new FileOutputStream(FileDescriptor.out), new FileOutputStream(FileDescriptor.err), () -> {
            lease.progress();
            handle.noteOutput();
        });
    }

    /** Zero if there is such a command, else the exit code after the user was told. */
    public static int lookFor(Invocation invocation, String name) {
        CommandLookup.Result result = CommandLookup.resolve(name, invocation.env("PATH"));
        if (result instanceof CommandLookup.NotFound) {
            invocation.console().error("command " + SafeText.quote(name) + " was not found; nothing was run");
            return ExitCode.NOT_FOUND;
        }
        if (result instanceof CommandLookup.NotExecutable) {
            invocation.console().error("command " + SafeText.quote(name) + " cannot be executed; nothing was run");
            return ExitCode.NOT_EXECUTABLE;
        }
        return ExitCode.OK;
    }
}
