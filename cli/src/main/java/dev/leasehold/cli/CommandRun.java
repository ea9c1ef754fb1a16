package dev.leasehold.cli;

import dev.leasehold.Lease;
import dev.leasehold.cli.child.CommandLookup;
import dev.leasehold.cli.output.SafeText;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The command, from its start under a lease that is held to the exit code that tells what became of both. */
final class CommandRun {
    private final RunPlan plan;
    private final Lease lease;
    private final CommandHandle handle;
    private final @Nullable KeyedRun keyed;

    CommandRun(RunPlan plan, Lease lease, CommandHandle handle, @Nullable KeyedRun keyed) {
        this.plan = plan;
        this.lease = lease;
        this.handle = handle;
        this.keyed = keyed;
    }

    int run(RunEnvironment environment, RunReport report) throws IOException, InterruptedException {
        Map<String, String> variables = environment.variables(lease);
        if (keyed != null) {
            keyed.addTo(variables);
        }
        LeasedCommand.Ended ended = new LeasedCommand(plan.command(), null, plan.timeout(), plan.progressOnOutput())
                .run(lease, variables, handle);
        int code = ended.code();
        String notCompleted = keyed == null ? null : settle(keyed, ended);
        // Before anything is written about it: the next one should not have to wait for our bookkeeping.
        lease.close();
        if (!ended.trusted()) {
            return report.lost(lease, code);
        }
        if (ended.timedOut()) {
            return report.timedOut(lease, code);
        }
        return notCompleted == null ? report.ran(lease, code) : report.notCompleted(lease, code, notCompleted);
    }

    /** Only a command that ended well, and in time, completes its work item. Returns why that was refused, or null. */
    private @Nullable String settle(KeyedRun item, LeasedCommand.Ended ended) throws InterruptedException {
        if (ended.trusted() && !ended.timedOut() && ended.code() == 0) {
            return item.complete(lease);
        }
        String how = ended.timedOut() ? "it ran into its --timeout" : "exit " + ended.code();
        item.giveUp(ended.trusted() ? how : "the lease was lost");
        return null;
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
}
