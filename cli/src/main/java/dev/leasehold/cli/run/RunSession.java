package dev.leasehold.cli.run;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.LeaseListener;
import dev.leasehold.Leases;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.child.Signals;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.leased.CommandEnvironment;
import dev.leasehold.cli.leased.CommandHandle;
import dev.leasehold.cli.leased.LeasedCommand;
import dev.leasehold.cli.targets.TargetOption;
import dev.leasehold.cli.targets.TargetRaising;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.events.RunOrigin;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Timers;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One {@code leasehold run}: acquires the lease, raises the targets, runs the command and reports
 * the outcome.
 */
final class RunSession implements LeaseListener {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Invocation invocation;
    private final RunOptions options;
    private final @Nullable HandOver handOver;
    private final EngineContext context = SystemContext.create();
    private final ClockReading started = context.ticker().read();
    private final CommandHandle handle = new CommandHandle();
    private boolean warnedOfLateRenewal;

    RunSession(Invocation invocation, RunOptions options, @Nullable HandOver handOver) {
        this.invocation = invocation;
        this.handOver = handOver;
        this.options = options;
    }

    int run() throws Exception {
        // Before the lease is acquired: a command that cannot run should not take it.
        int impossible = LeasedCommand.lookUp(invocation, options.command().get(0));
        if (impossible != 0) {
            return notStarted(impossible);
        }
        LeaseStore store = invocation.openStore();
        try (Timers timers = context.timers();
                Leases leases = over(store);
                Signals handlers = Signals.forward(handle::signal)) {
            CommandEnvironment environment = new CommandEnvironment(invocation, leases);
            if (!options.patience().isZero() || handOver != null) {
                environment.refuseDeadlock(options.names());
            }
            RunReport report = new RunReport(invocation, options, leases, context.ticker(), handle);
            RunWorkItem item =
                    options.workId() == null ? null : new RunWorkItem(invocation.arguments(), leases.store(), timers);
            try {
                Integer done = item == null ? null : item.doneBefore(report);
                if (done != null) {
                    return done;
                }
                pause(Duration.ofMillis(context.ids().below(options.jitter().toMillis() + 1)));
                if (handOver != null) {
                    HandOver.Answer answer = handOver.lease(leases, context);
                    Lease lease = answer.lease();
                    return lease == null ? report.notCurrent(answer) : runHolding(lease, environment, report, item);
                }
                AcquireResult attempt = acquire(leases);
                return attempt instanceof AcquireResult.Acquired acquired
                        ? runHolding(acquired.held(), environment, report, item)
                        : report.skipped((AcquireResult.Busy) attempt);
            } catch (InterruptedException | StoreUnavailableException e) {
                if (handle.endedEarly()) {
                    return report.interrupted(handle.earlyExitCode());
                }
                throw e;
            }
        }
    }

    private int notStarted(int code) {
        Holder holder = options.holder() == null ? SystemContext.defaultHolder(context.ids()) : options.holder();
        String why = code == ExitCode.NOT_FOUND ? "the command was not found" : "the command cannot be executed";
        RunEntry entry = new RunEntry(Instant.now(), "not_started", null, holder, Duration.ZERO, why);
        try (LeaseStore store = invocation.openStoreQuietly()) {
            RunOrigin origin = RunOrigin.of(options.command(), invocation.environment(), null);
            new RunLog(store.register()).append(options.names().get(0), entry.from(origin));
        } catch (StoreUnavailableException | StoreCorruptException | UsageException e) {
            invocation.console().say("warning: 'explain' will not show this run: " + e.getMessage());
        }
        return code;
    }

    private Leases over(LeaseStore store) {
        Leases.Builder builder =
                Leases.over(store).terms(options.terms()).context(context).listener(this);
        Holder holder = handOver == null ? options.holder() : handOver.holder(store, options.holder());
        return (holder == null ? builder : builder.holder(holder)).build();
    }

    private AcquireResult acquire(Leases leases) throws InterruptedException {
        if (options.names().size() == 1) {
            return leases.acquireWithin(options.names().get(0), options.terms(), options.patience());
        }
        while (true) {
            AcquireResult last = null;
            for (LeaseName name : options.names()) {
                last = leases.acquireWithin(name, options.terms(), Duration.ZERO);
                if (last instanceof AcquireResult.Acquired) {
                    return last;
                }
            }
            Duration left = options.patience()
                    .minus(started.elapsedUntil(context.ticker().read()));
            if (last != null && (left.isNegative() || left.isZero())) {
                return last;
            }
            pause(left.compareTo(POLL) < 0 ? left : POLL);
        }
    }

    private void pause(Duration duration) throws InterruptedException {
        if (!duration.isZero()) {
            context.timers().sleep(duration);
        }
    }

    private int runHolding(Lease held, CommandEnvironment environment, RunReport report, @Nullable RunWorkItem item)
            throws InterruptedException {
        report.acquired(held);
        try (Lease lease = held) {
            List<TargetOption> guards = options.guards().of(lease.grant().name(), invocation);
            Integer notRaised = raise(guards, lease, environment.store(), report);
            if (notRaised != null) {
                return notRaised;
            }
            if (handle.endedEarly()) {
                return report.interrupted(handle.earlyExitCode());
            }
            Integer refused = item == null ? null : item.claim(lease, report);
            return refused == null ? runCommand(lease, guards, environment, report, item) : refused;
        } catch (TargetUnavailableException | IllegalArgumentException e) {
            if (handle.endedEarly()) {
                return report.interrupted(handle.earlyExitCode());
            }
            report.notRaised(held, e);
            throw e;
        }
    }

    /** The exit code if a target refuses the token, otherwise null. */
    private @Nullable Integer raise(List<TargetOption> guards, Lease lease, LeaseStore store, RunReport report)
            throws InterruptedException {
        if (guards.isEmpty()) {
            return null;
        }
        try (TargetRaising raising = TargetRaising.in(store, lease.grant(), invocation)) {
            for (TargetOption target : guards) {
                if (raising.raise(target) instanceof Admission.Refused refused) {
                    lease.close();
                    return report.refused(lease, target, refused);
                }
            }
        }
        return null;
    }

    private int runCommand(
            Lease lease,
            List<TargetOption> guards,
            CommandEnvironment environment,
            RunReport report,
            @Nullable RunWorkItem item)
            throws InterruptedException {
        Map<String, String> variables = environment.variables(lease);
        options.guards().tellOthers(lease.grant().name(), variables, invocation);
        if (item != null) {
            item.addTo(variables);
        }
        LeasedCommand command =
                new LeasedCommand(options.command(), null, options.timeout(), options.progressOnOutput());
        LeasedCommand.Ended ended;
        try {
            ended = command.run(lease, variables, handle);
        } catch (IOException e) {
            if (item != null) {
                item.fail("it could not be started");
            }
            return handle.endedEarly() ? report.interrupted(handle.earlyExitCode()) : report.notStarted(lease, e);
        }
        String notCompleted = item == null ? null : settle(item, lease, ended);
        if (ended.succeeded()) {
            for (TargetOption target : guards) {
                target.warnIfUnused(invocation);
            }
        }
        // Released before the outcome is recorded: the next holder should not wait for our
        // bookkeeping.
        lease.close();
        if (!ended.trusted()) {
            return report.lost(lease, ended.code());
        }
        if (ended.timedOut()) {
            return report.timedOut(lease, ended.code());
        }
        return notCompleted == null
                ? report.ran(lease, ended.code())
                : report.notCompleted(lease, ended.code(), notCompleted);
    }

    /**
     * Completes the item if the command succeeded in time. Returns why the completion was refused,
     * or null.
     */
    private static @Nullable String settle(RunWorkItem item, Lease lease, LeasedCommand.Ended ended)
            throws InterruptedException {
        if (ended.succeeded()) {
            return item.complete(lease);
        }
        String how = ended.timedOut() ? "timed out" : "exit " + ended.code();
        item.fail(ended.trusted() ? how : "the lease was lost");
        return null;
    }

    @Override
    public void acquired(Lease lease, Transfer transfer) {
        if (transfer.reason() == TransferReason.EXPIRED) {
            invocation
                    .console()
                    .say(lease.grant() + ": the previous lease expired without a release;"
                            + " that run crashed, stalled or lost its connection");
        }
    }

    @Override
    public void renewed(Lease lease, Duration gap) {
        handle.renewed(lease, gap);
        String late = warnedOfLateRenewal
                ? null
                : CommandHandle.lateRenewal(lease.grant().name(), lease.terms(), gap);
        if (late != null) {
            warnedOfLateRenewal = true;
            invocation.console().say(late);
        }
    }

    @Override
    public void released(Lease lease, Release release) {
        if (release instanceof Release.NotCurrent not && lease.loss().isEmpty()) {
            invocation
                    .console()
                    .error("warning: " + lease.grant() + " could not be released: "
                            + not.loss().explanation());
        }
    }

    @Override
    public void releaseFailed(Lease lease, StoreUnavailableException failure) {
        invocation
                .console()
                .error("warning: " + lease.grant() + " could not be released and stays held until its ttl passes: "
                        + failure.getMessage());
    }
}
