package dev.leasehold.cli.run;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.targets.ForeignChange;
import java.nio.file.Files;
import java.util.List;

/** {@code leasehold run}: runs a command while it holds a lease. */
public final class RunCommand implements Command {
    static final Option HEARTBEAT = Option.of("heartbeat", "D", Kind.DURATION, "how often to renew (default: ttl/3)");
    static final Option GRACE = Option.of(
            "grace",
            "D",
            Kind.DURATION,
            "time from TERM to KILL when COMMAND is stopped (default: ttl/10, at most 5s)");
    static final Option ON_BUSY = Option.of(
            "on-busy",
            "skip|wait",
            Kind.CHOICE,
            "what to do if the lease is busy (default: skip); wait is unlimited without --wait");
    static final Option WAIT =
            Option.of("wait", "D", Kind.DURATION, "wait up to this long for the lease; implies --on-busy wait");
    static final Option OR = Option.of(
                    "or",
                    "NAME[=TARGET]",
                    Kind.LEASE_AND_FILE,
                    "another lease to try if NAME is busy, with a target to raise under that name")
            .repeated();
    static final Option SKIP_EXIT =
            Option.of("skip-exit", "CODE", Kind.NUMBER, "the exit code if COMMAND is skipped (default: 0)");
    static final Option MIN_HOLD = Option.of(
            "min-hold",
            "D",
            Kind.DURATION,
            "keep the lease taken for at least this long, even if COMMAND ends sooner, so that a machine whose clock is"
                    + " behind does not run it again (default: 0s)");
    static final Option GUARD = Option.of(
                    "guard",
                    "TARGET",
                    Kind.FILE,
                    "a file, directory or git remote of NAME to raise to the token before COMMAND starts, so that it refuses"
                            + " older tokens; if it refuses this token, COMMAND is not run")
            .repeated();
    static final Option KEY = Option.of(
            "key", "KEY", Kind.WORK_KEY, "the key of this piece of work: a key that is done is not run again");
    static final Option FINGERPRINT = Option.of(
            "fingerprint",
            "S",
            Kind.TEXT,
            "identifies the input of the key; the same key with another input is an error");
    static final Option PROGRESS_WITHIN = Option.of(
            "progress-within",
            "D",
            Kind.DURATION,
            "stop COMMAND if it reports no progress for this long (default: no limit)");
    static final Option PROGRESS_ON =
            Option.of("progress-on", "output", Kind.CHOICE, "count the output of COMMAND as progress");
    static final Option TIMEOUT =
            Option.of("timeout", "D", Kind.DURATION, "stop COMMAND after this long and exit 124 (default: no limit)");
    static final Option JITTER = Option.of(
            "jitter",
            "D",
            Kind.DURATION,
            "wait for a random time of at most D before acquiring the lease (default: 0s)");
    static final Option SCHEDULE = Option.of(
            "schedule",
            "CRON",
            Kind.TEXT,
            "run the due slots of this schedule, such as '0 3 * * *', each with its own key");
    static final Option ZONE =
            Option.of("zone", "Z", Kind.TEXT, "the time zone of --schedule (default: this machine's)");
    static final Option CATCH_UP =
            Option.of("catch-up", "N", Kind.NUMBER, "run the latest N missed slots of --schedule (default: 1)");
    static final Option TAKE_OVER =
            Option.flag("take-over", "take the lease from its holder and run in its place; needs --reason");
    static final Option ONLY_TOKEN = Option.of(
            "token", "T", Kind.TOKEN, "with --take-over: only if this is still the current token, as status showed it");
    static final Option REASON =
            Option.of("reason", "S", Kind.TEXT, "with --take-over: the reason, which the history keeps");
    static final Option GRANT = Option.of(
            "grant",
            "G",
            Kind.TEXT,
            "go on with this grant, which 'acquire --json' or 'takeover --json' printed, instead of acquiring");
    static final Option REPORT = Option.of(
            "report",
            "FILE",
            Kind.FILE,
            "write the outcome as JSON; it shows whether the exit code is that of COMMAND");

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.of("run", "run a command while holding a lease")
                .description(
                        """
                        Runs COMMAND if the lease NAME is free, and skips otherwise. The lease is renewed while COMMAND
                        runs and released at the end. If the lease is lost, COMMAND and the processes that it started
                        are ended before another run can acquire it, and the exit code is 75. COMMAND finds its token in
                        LEASEHOLD_TOKEN, where 'leasehold write' reads it. NAME may be left out with --grant. The token
                        rises, so a grant can be used once: exit 12 if it is no longer current.""")
                .positional(Positional.optional("NAME", Kind.LEASE_NAME))
                .passthrough("COMMAND...")
                .withoutJson("stdout belongs to the command; use --report FILE for the outcome as JSON")
                .option(SharedOptions.TTL)
                .option(HEARTBEAT)
                .option(GRACE)
                .option(ON_BUSY)
                .option(WAIT)
                .option(OR)
                .option(SKIP_EXIT)
                .option(MIN_HOLD)
                .option(GUARD)
                .option(ForeignChange.STRICT)
                .option(KEY)
                .option(FINGERPRINT)
                .option(PROGRESS_WITHIN)
                .option(PROGRESS_ON)
                .option(TIMEOUT)
                .option(JITTER)
                .option(SharedOptions.HOLDER)
                .option(REPORT)
                .example("leasehold run daily-publish --ttl 5m --guard site/index.html -- ./publish.sh")
                .note(
                        """
                        If you know flock:  flock -n  is the default of run
                                            flock -w SECONDS  is  --wait D
                                            flock -E CODE  is  --skip-exit CODE""");
        return withScheduleAndHandOver(spec);
    }

    private static CommandSpec withScheduleAndHandOver(CommandSpec spec) {
        return spec.option(SCHEDULE)
                .option(ZONE)
                .option(CATCH_UP)
                .option(TAKE_OVER)
                .option(ONLY_TOKEN)
                .option(REASON)
                .option(GRANT);
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        RunOptions options = RunOptions.of(invocation);
        if (invocation.arguments().has(TAKE_OVER) || invocation.arguments().has(GRANT)) {
            HandOver handOver = HandOver.of(invocation.arguments(), options);
            return start(new RunSession(invocation, options, handOver), options);
        }
        for (Option option : List.of(ONLY_TOKEN, REASON)) {
            if (invocation.arguments().has(option)) {
                throw new UsageException("--" + option.name() + " needs --take-over");
            }
        }
        if (invocation.arguments().has(SCHEDULE)) {
            return new ScheduledRun(invocation, options).run();
        }
        for (Option option : List.of(ZONE, CATCH_UP)) {
            if (invocation.arguments().has(option)) {
                throw new UsageException("--" + option.name() + " needs --schedule CRON");
            }
        }
        return start(new RunSession(invocation, options, null), options);
    }

    private static int start(RunSession session, RunOptions options) throws Exception {
        if (options.report() != null) {
            // The report of an earlier run must not be taken for that of a run that ends without one.
            Files.deleteIfExists(options.report());
        }
        return session.run();
    }
}
