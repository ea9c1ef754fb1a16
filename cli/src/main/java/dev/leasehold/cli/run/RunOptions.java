package dev.leasehold.cli.run;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommonOptions;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.targets.FileTargets;
import dev.leasehold.cli.targets.TargetOption;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.work.WorkId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@code leasehold run}. Combinations that cannot work are refused here, before
 * anything changes.
 *
 * @param names the lease to acquire, then those to try when it is busy
 * @param patience how long to keep trying, zero to skip at once
 * @param timeout how long the command may take, or null for no limit
 * @param workId the work item of the run, or null if it has none
 */
public record RunOptions(
        List<LeaseName> names,
        LeaseTerms terms,
        Duration patience,
        int skipExit,
        List<TargetOption> guards,
        @Nullable Duration timeout,
        Duration jitter,
        @Nullable Holder holder,
        @Nullable Path report,
        boolean progressOnOutput,
        @Nullable WorkId workId,
        List<String> command) {
    private static final Duration FOREVER = Duration.ofDays(3650);

    static RunOptions of(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        if (arguments.has(CommonOptions.JSON)) {
            throw new UsageException(
                    "--json cannot be used: stdout belongs to the command; use --report FILE for the outcome as JSON");
        }
        return new RunOptions(
                names(arguments),
                terms(arguments),
                patience(arguments),
                (int) arguments.number(RunCommand.SKIP_EXIT, 0, 255, ExitCode.OK),
                arguments.has(RunCommand.GUARD)
                        ? TargetOption.parse("--guard", arguments.all(RunCommand.GUARD), invocation)
                        : List.of(),
                positive(arguments.duration(RunCommand.TIMEOUT), "--timeout"),
                arguments.duration(RunCommand.JITTER, Duration.ZERO),
                SharedOptions.holder(arguments),
                report(arguments),
                progressOnOutput(arguments),
                workId(arguments),
                arguments.passthrough());
    }

    private static @Nullable WorkId workId(Arguments arguments) {
        if (arguments.has(RunCommand.KEY)) {
            return RunWorkItem.id(arguments);
        }
        if (arguments.has(RunCommand.FINGERPRINT)) {
            throw new UsageException("--fingerprint needs --key KEY");
        }
        return null;
    }

    private static List<LeaseName> names(Arguments arguments) {
        List<LeaseName> names = new ArrayList<>(2);
        names.add(name(arguments));
        for (String other : arguments.all(RunCommand.OR)) {
            names.add(Arguments.leaseName("--or", other));
        }
        return names;
    }

    /** The name of the lease: with {@code --grant}, the grant contains it. */
    static LeaseName name(Arguments arguments) {
        if (arguments.has(RunCommand.GRANT)) {
            return HandOver.name(arguments);
        }
        if (arguments.positionals().isEmpty()) {
            throw new UsageException("NAME is missing");
        }
        return arguments.leaseName(0);
    }

    private static LeaseTerms terms(Arguments arguments) {
        LeaseTerms defaults = LeaseTerms.ofTtl(SharedOptions.ttl(arguments));
        try {
            return new LeaseTerms(
                    defaults.ttl(),
                    arguments.duration(RunCommand.HEARTBEAT, defaults.heartbeat()),
                    arguments.duration(RunCommand.GRACE, defaults.grace()),
                    arguments.duration(RunCommand.MIN_HOLD, defaults.minHold()),
                    positive(arguments.duration(RunCommand.PROGRESS_WITHIN), "--progress-within"));
        } catch (UsageException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Duration patience(Arguments arguments) {
        Duration wait = arguments.duration(RunCommand.WAIT);
        String onBusy = arguments.text(RunCommand.ON_BUSY);
        if (onBusy == null) {
            return wait == null ? Duration.ZERO : wait;
        }
        if (onBusy.equals("wait")) {
            return wait == null ? FOREVER : wait;
        }
        if (!onBusy.equals("skip")) {
            throw new UsageException("--on-busy must be 'skip' or 'wait'");
        }
        if (wait != null) {
            throw new UsageException("--on-busy skip and --wait " + DurationText.show(wait)
                    + " contradict each other; give one of them");
        }
        return Duration.ZERO;
    }

    private static boolean progressOnOutput(Arguments arguments) {
        String on = arguments.text(RunCommand.PROGRESS_ON);
        if (on != null && !on.equals("output")) {
            throw new UsageException("--progress-on must be 'output'");
        }
        if (on != null && !arguments.has(RunCommand.PROGRESS_WITHIN)) {
            throw new UsageException(
                    "--progress-on output needs --progress-within D, the longest silence that is allowed");
        }
        return on != null;
    }

    private static @Nullable Path report(Arguments arguments) {
        String text = arguments.text(RunCommand.REPORT);
        if (text == null) {
            return null;
        }
        Path report = FileTargets.parse("--report", text).toAbsolutePath();
        Path parent = report.getParent();
        if (Files.isDirectory(report) || parent == null || !Files.isDirectory(parent)) {
            throw new UsageException("--report must name a file in an existing directory");
        }
        return report;
    }

    private static @Nullable Duration positive(@Nullable Duration value, String option) {
        if (value != null && value.isZero()) {
            throw new UsageException(option + " must be more than zero");
        }
        return value;
    }
}
