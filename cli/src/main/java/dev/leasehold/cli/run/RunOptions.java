package dev.leasehold.cli.run;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.targets.FileTargets;
import dev.leasehold.cli.targets.LeaseTargets;
import dev.leasehold.cli.targets.TargetOption;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.work.WorkId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@code leasehold run}. Combinations that cannot work are refused here, before
 * anything changes.
 *
 * @param names the lease to acquire, then those to try when it is busy
 * @param patience how long to keep trying, zero to skip at once
 * @param guards the targets to raise, by lease
 * @param timeout how long the command may take, or null for no limit
 * @param workId the work item of the run, or null if it has none
 */
public record RunOptions(
        List<LeaseName> names,
        LeaseTerms terms,
        Duration patience,
        int skipExit,
        LeaseTargets guards,
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
        Map<LeaseName, List<String>> targets = targets(arguments);
        return new RunOptions(
                List.copyOf(targets.keySet()),
                terms(invocation),
                patience(arguments),
                (int) arguments.number(RunCommand.SKIP_EXIT, 0, 255, ExitCode.OK),
                guards(name(arguments), targets, invocation),
                positive(arguments.duration(RunCommand.TIMEOUT), "--timeout"),
                arguments.duration(RunCommand.JITTER, Duration.ZERO),
                SharedOptions.holder(invocation),
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

    /** The leases in the order in which they are tried, with the targets of each as the user wrote them. */
    private static Map<LeaseName, List<String>> targets(Arguments arguments) {
        Map<LeaseName, List<String>> targets = new LinkedHashMap<>();
        targets.put(name(arguments), arguments.all(RunCommand.GUARD));
        for (String other : arguments.all(RunCommand.OR)) {
            // A lease name contains no equals sign.
            int end = other.indexOf('=');
            LeaseName name = Arguments.leaseName("--or", end < 0 ? other : other.substring(0, end));
            List<String> own = targets.get(name);
            if (own == null) {
                own = new ArrayList<>(2);
                targets.put(name, own);
            }
            if (end >= 0) {
                own.add(other.substring(end + 1));
            }
        }
        return targets;
    }

    private static LeaseTargets guards(LeaseName first, Map<LeaseName, List<String>> targets, Invocation invocation) {
        LeaseTargets guards = new LeaseTargets(first);
        for (Map.Entry<LeaseName, List<String>> lease : targets.entrySet()) {
            // Without targets, their classes are not loaded.
            if (!lease.getValue().isEmpty()) {
                String where = lease.getKey().equals(first) ? "--guard" : "--or";
                guards.with(lease.getKey(), TargetOption.parse(where, lease.getValue(), invocation));
            }
        }
        return guards;
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

    private static LeaseTerms terms(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        LeaseTerms defaults = LeaseTerms.ofTtl(SharedOptions.ttl(invocation));
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
            throw new UsageException("--on-busy skip and --wait " + arguments.text(RunCommand.WAIT)
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
