package dev.leasehold.cli.jobs;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;

/** {@code leasehold up}: runs the scheduled jobs of a file on this machine. */
public final class UpCommand implements Command {
    static final Option FILE = Option.of("file", "FILE", Kind.FILE, "the job file (default: leasehold.yaml)")
            .orShort("f");
    static final Option CHECK = Option.flag("check", "only check the file and print the next slots of each job");

    static final Option LOG = Option.of(
            "log",
            "text|json",
            Kind.CHOICE,
            "lines for people, or one JSON object per line on stdout, also for the output of jobs (default: text)");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("up", "run the scheduled jobs of a file on this machine")
                .description(
                        """
                        Runs the jobs of a file when they are due. TERM or INT stops it; running jobs then have the
                        stop-within time of the file to finish. Start it on as many machines as you like with the same
                        file and the same store: each slot runs on one of them. If a machine dies, another one continues
                        its slots after the ttl. The output of jobs is printed line by line, with the name of the job; the last
                        lines of a failed run are shown by 'due' and 'explain'. A changed file is read again without stopping a job, at once on HUP. An
                        invalid file is reported, and the previous one stays in force.""")
                .option(FILE)
                .option(CHECK)
                .option(LOG)
                .option(SharedOptions.HOLDER)
                .example("leasehold up -f leasehold.yaml --store postgresql://jobs@db/leases");
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        return new UpSession(invocation).run();
    }
}
