package dev.leasehold.cli.run;

import dev.leasehold.Lease;
import dev.leasehold.cli.leased.CommandHandle;
import dev.leasehold.cli.leased.LeasedCommand;
import dev.leasehold.cli.leased.CommandEnvironment;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The command, from its start under a lease that is held to the exit code that tells what became of both. */
public final class CommandRun {
    private final RunOptions plan;
    private final Lease lease;
    private final CommandHandle handle;
    private final @Nullable RunWorkItem keyed;

    public CommandRun(RunOptions plan, Lease lease, CommandHandle handle, @Nullable RunWorkItem keyed) {
        this.plan = plan;
        this.lease = lease;
        this.handle = handle;
        this.keyed = keyed;
    }

    public int run(CommandEnvironment environment, RunReport report) throws IOException, InterruptedException {
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
    private @Nullable String settle(RunWorkItem item, LeasedCommand.Ended ended) throws InterruptedException {
        if (ended.trusted() && !ended.timedOut() && ended.code() == 0) {
            return item.complete(lease);
        }
        String how = ended.timedOut() ? "it ran into its --timeout" : "exit " + ended.code();
        item.giveUp(ended.trusted() ? how : "the lease was lost");
        return null;
    }
}
