package dev.leasehold.cli.leased;

import dev.leasehold.Lease;
import dev.leasehold.cli.child.CommandLookup;
import dev.leasehold.cli.child.ProgramPath;
import dev.leasehold.cli.child.Stdio;
import dev.leasehold.cli.child.SupervisedCommand;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.SafeText;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command that runs under a lease. It is stopped when the lease is lost or its timeout passes.
 *
 * @param directory where the command of a job starts, with empty standard input; null for one that a user starts, in the
 *     current directory and with this program's input
 * @param timeout how long the command may take, or null for no limit
 * @param progressOnOutput whether output of the command counts as progress
 */
public record LeasedCommand(
        List<String> words, @Nullable Path directory, @Nullable Duration timeout, boolean progressOnOutput) {
    /**
     * How the command ended.
     *
     * @param trusted whether the lease was trusted until the command ended
     */
    public record Ended(int code, boolean trusted, boolean timedOut) {
        public boolean succeeded() {
            return trusted && !timedOut && code == 0;
        }
    }

    /** Where the output of the command goes. */
    public record Output(OutputStream out, OutputStream err) {}

    /**
     * Runs the command to its end. The lease stays held. If the thread is interrupted, the command
     * is stopped and has ended before the exception is thrown.
     */
    public Ended run(Lease lease, Map<String, String> variables, CommandHandle handle)
            throws IOException, InterruptedException {
        return run(lease, variables, handle, null);
    }

    /** @param output where its output goes; null for the output of this program, unchanged */
    public Ended run(Lease lease, Map<String, String> variables, CommandHandle handle, @Nullable Output output)
            throws IOException, InterruptedException {
        SupervisedCommand command = SupervisedCommand.start(
                words,
                variables,
                directory == null ? CommandEnvironment.REMOVED : CommandEnvironment.REMOVED_FROM_JOBS,
                lease::remaining,
                lease.terms().grace(),
                stdio(lease, handle, output),
                directory,
                GiveBack.command(lease.terms().minHold()));
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
            // The caller releases the lease, which must not happen while the command lives.
            command.stop();
            if (!awaitEnd(command)) {
                lease.detach(); // Not released: the supervisor ends the command before the ttl passes.
            }
            throw e;
        }
    }

    /**
     * Waits for the end, which the deadline bounds, even if interrupted again. False if the end
     * cannot be observed.
     */
    private static boolean awaitEnd(SupervisedCommand command) {
        while (true) {
            try {
                command.waitFor();
                return true;
            } catch (InterruptedException again) {
                // The command is already being stopped.
            } catch (UncheckedIOException unobservable) {
                return false;
            }
        }
    }

    private Stdio stdio(Lease lease, CommandHandle handle, @Nullable Output output) {
        if (output == null && !progressOnOutput) {
            return Stdio.inherit();
        }
        Runnable onOutput = progressOnOutput
                ? () -> {
                    lease.progress();
                    handle.noteOutput();
                }
                : () -> {};
        return output == null
                ? Stdio.piped(
                        new FileOutputStream(FileDescriptor.out), new FileOutputStream(FileDescriptor.err), onOutput)
                : Stdio.piped(output.out(), output.err(), onOutput);
    }

    /** Zero if the command can be executed. Otherwise reports why not and returns the exit code. */
    public static int lookUp(Invocation invocation, String name) {
        CommandLookup.Result result = CommandLookup.resolve(name, ProgramPath.with(invocation.env("PATH")));
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
