package dev.leasehold.cli;

import dev.leasehold.Lease;
import dev.leasehold.cli.child.CommandLookup;
import dev.leasehold.cli.child.GuardedCommand;
import dev.leasehold.cli.child.Stdio;
import dev.leasehold.cli.output.SafeText;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The command, from its start under a lease that is held to the exit code that tells what became of both. */
final class CommandRun {
    private final RunPlan plan;
    private final Lease lease;
    private final CommandHandle handle;

    CommandRun(RunPlan plan, Lease lease, CommandHandle handle) {
        this.plan = plan;
        this.lease = lease;
        this.handle = handle;
    }

    int run(RunEnvironment environment, RunReport report) throws IOException, InterruptedException {
        GuardedCommand command = GuardedCommand.start(
                plan.command(),
                environment.variables(lease),
                RunEnvironment.REMOVED,
                lease::remaining,
                plan.terms().grace(),
                stdio());
        handle.started(command);
        lease.onLost(loss -> command.stop());
        boolean timedOut = !endsWithin(command, plan.timeout());
        if (timedOut) {
            command.stop();
        }
        int code = command.waitFor();
        boolean trusted = lease.isTrusted() && !command.endedAtDeadline();
        // Before anything is written about it: the next one should not have to wait for our bookkeeping.
        lease.close();
        if (!trusted) {
            return report.lost(lease, code);
        }
        return timedOut ? report.timedOut(lease, code) : report.ran(lease, code);
    }

    /** Zero if there is such a command, else the exit code after the user was told. */
    static int lookFor(Invocation invocation, String name) {
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

    private static boolean endsWithin(GuardedCommand command, @Nullable Duration timeout) throws InterruptedException {
        return timeout == null || command.waitFor(timeout);
    }

    private Stdio stdio() {
        if (!plan.progressOnOutput()) {
            return Stdio.inherit();
        }
        return Stdio.piped(new FileOutputStream(FileDescriptor.out), new FileOutputStream(FileDescriptor.err), () -> {
            lease.progress();
            handle.noteOutput();
        });
    }
}
