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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code leasehold run} was asked to do. Combinations that cannot work are refused here, before anything is touched.
 *
 * @param names the lease to take, and those to try when it is busy
 * @param patience how long to keep trying, zero to skip at once
 * @param timeout how long the command may take, or null
 * @param work the work item it is about, or null
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
        @Nullable WorkPlan work,
        List<String> command) {
    private static final Duration FOREVER = Duration.ofDays(3650);

    static RunOptions of(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        if (arguments.has(CommonOptions.JSON)) {
            throw new UsageException(
                    "--json: stdout belongs to the command; use --report FILE for the outcome as JSON");
        }
        return new RunOptions(
                names(arguments),
                terms(arguments),
                patience(arguments),
                (int) arguments.number(RunCommand.SKIP_EXIT, 0, 255, ExitCode.OK),
                TargetOption.parse("--guard", arguments.all(RunCommand.GUARD), invocation),
                positive(arguments.duration(RunCommand.TIMEOUT), "--timeout"),
                arguments.duration(RunCommand.JITTER, Duration.ZERO),
                SharedOptions.holder(arguments),
                report(arguments),
                progressOnOutput(arguments),
                WorkPlan.of(arguments),
                arguments.passthrough());
    }

    private static List<LeaseName> names(Arguments arguments) {
        List<LeaseName> names = new ArrayList<>(2);
        names.add(arguments.leaseName(0));
        for (String other : arguments.all(RunCommand.OR)) {
            names.add(Arguments.leaseName("--or", other));
        }
        return names;
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
            throw new UsageException("--on-busy is 'skip' or 'wait'");
        }
        if (wait != null) {
            throw new UsageException("--on-busy skip and --wait " + DurationText.show(wait)
                    + " contradict each other: leave one of them out");
        }
        return Duration.ZERO;
    }

    private static boolean progressOnOutput(Arguments arguments) {
        String on = arguments.text(RunCommand.PROGRESS_ON);
        if (on != null && !on.equals("output")) {
            throw new UsageException("--progress-on knows only 'output'");
        }
        if (on != null && !arguments.has(RunCommand.PROGRESS_WITHIN)) {
            throw new UsageException(
                    "--progress-on output needs --progress-within D: how long the command may be silent");
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
            throw new UsageException("--report names no file in a directory that exists");
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
