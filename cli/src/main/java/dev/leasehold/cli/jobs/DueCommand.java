package dev.leasehold.cli.jobs;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code leasehold due}: shows the next slots of scheduled jobs and the outcomes of the last ones.
 */
public final class DueCommand implements Command {
    private static final Option LIMIT =
            Option.of("limit", "N", Kind.NUMBER, "how many outcomes to show for each job (default: 10, at most 100)");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("due", "show the slots of scheduled jobs")
                .description(
                        """
                        Shows for each job, or for NAME, when it is due next, which slots are queued or running, and the
                        outcomes of its last slots with the machines that ran them, the reasons, and the last lines of output of
                        those that failed. A job is overdue if no machine has taken a slot up. Times are in the zone of the
                        job. Reads only the store, so it works on any machine,
                        without the job file.""")
                .positional(Positional.optional("NAME", Kind.JOB_NAME))
                .option(LIMIT)
                .example("leasehold due daily-publish");
    }

    @Override
    public int run(Invocation invocation) {
        int limit = (int) invocation.arguments().number(LIMIT, 0, 100, 10);
        boolean one = invocation.arguments().positional(0) != null;
        try (LeaseStore store = invocation.openStoreToRead()) {
            JobRecords records = new JobRecords(store.register());
            Iterable<LeaseName> names = one ? List.of(invocation.arguments().leaseName(0)) : records.all();
            List<String> damage = new ArrayList<>();
            boolean first = true;
            boolean any = false;
            for (LeaseName name : names) {
                any = true;
                Optional<JobRecords.Snapshot> page = readable(records, name, damage);
                if (page.isPresent() && invocation.json()) {
                    invocation
                            .console()
                            .print(SlotViews.json(name, page.get(), limit, output(store, name, page.get()))
                                    .toString());
                } else if (page.isPresent()) {
                    if (!first) {
                        invocation.console().print("");
                    }
                    SlotViews.lines(name, page.get(), limit, output(store, name, page.get()))
                            .forEach(invocation.console()::print);
                    first = false;
                } else if (one && damage.isEmpty()) {
                    invocation.console().say("this store has no job " + name);
                }
            }
            if (!any) {
                invocation.console().say("this store has no jobs; 'leasehold up' creates them");
            }
            damage.forEach(invocation.console()::error);
            return damage.isEmpty() ? ExitCode.OK : ExitCode.UNAVAILABLE;
        }
    }

    private static FailedOutput output(LeaseStore store, LeaseName name, JobRecords.Snapshot page) {
        return FailedOutput.of(store.register(), name, page);
    }

    /** A damaged record must not hide the others. */
    private static Optional<JobRecords.Snapshot> readable(JobRecords records, LeaseName name, List<String> damage) {
        try {
            return records.read(name);
        } catch (StoreCorruptException e) {
            damage.add("job " + name + " is damaged: " + e.getMessage());
            return Optional.empty();
        }
    }
}
