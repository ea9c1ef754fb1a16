package dev.leasehold.cli.run;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.LeaseListener;
import dev.leasehold.Leases;
import dev.leasehold.cli.child.Signals;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.leased.CommandHandle;
import dev.leasehold.cli.leased.LateRenewal;
import dev.leasehold.cli.leased.LeasedCommand;
import dev.leasehold.cli.leased.CommandEnvironment;
import dev.leasehold.cli.targets.TargetOption;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.model.Admission;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.Timers;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One {@code leasehold run}, from the look for the command to the outcome. */
final class RunSession {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Invocation invocation;
    private final RunOptions plan;
    private final EngineContext context = SystemContext.create();
    private final ClockReading started = context.ticker().read();
    private final CommandHandle handle = new CommandHandle();

    RunSession(Invocation invocation, RunOptions plan) {
        this.invocation = invocation;
        this.plan = plan;
    }

    int run() throws Exception {
        // Before the lease is asked for: a command that cannot run should not take it.
        int impossible = LeasedCommand.lookFor(invocation, plan.command().get(0));
        if (impossible != 0) {
            return impossible;
        }
        Leases.Builder builder = Leases.over(invocation.openStore())
                .terms(plan.terms())
                .context(context)
                .listener(new Teller());
        try (Timers timers = context.timers();
                Leases leases = (plan.holder() == null ? builder : builder.holder(plan.holder())).build();
                Signals handlers = Signals.forward(handle::signal)) {
            CommandEnvironment environment = new CommandEnvironment(invocation, leases);
            if (!plan.patience().isZero()) {
                environment.refuseToWaitForOurselves(plan.names());
            }
            RunReport report = new RunReport(invocation, plan, leases, context.ticker(), handle);
            RunWorkItem keyed = plan.work() == null ? null : new RunWorkItem(plan.work(), leases.store(), timers);
            try {
                Integer settled = keyed == null ? null : keyed.settledBefore(report);
                if (settled != null) {
                    return settled;
                }
                pause(Duration.ofMillis(context.ids().below(plan.jitter().toMillis() + 1)));
                AcquireResult attempt = acquire(leases);
                return attempt instanceof AcquireResult.Acquired acquired
                        ? runHolding(acquired.held(), environment, report, keyed)
                        : report.skipped((AcquireResult.Busy) attempt);
            } catch (InterruptedException | StoreUnavailableException e) {
                if (handle.endedEarly()) {
                    return report.interrupted(handle.earlyExitCode());
                }
                throw e;
            }
        }
    }

    private AcquireResult acquire(Leases leases) throws InterruptedException {
        if (plan.names().size() == 1) {
            return leases.acquireWithin(plan.names().get(0), plan.terms(), plan.patience());
        }
        while (true) {
            AcquireResult last = null;
            for (LeaseName name : plan.names()) {
                last = leases.acquireWithin(name, plan.terms(), Duration.ZERO);
                if (last instanceof AcquireResult.Acquired) {
                    return last;
                }
            }
            Duration left =
                    plan.patience().minus(started.elapsedUntil(context.ticker().read()));
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

    private int runHolding(Lease lease, CommandEnvironment environment, RunReport report, @Nullable RunWorkItem keyed)
            throws InterruptedException {
        report.acquired();
        try (lease) {
            return raiseAndRun(lease, environment, report, keyed);
        }
    }

    private int raiseAndRun(Lease lease, CommandEnvironment environment, RunReport report, @Nullable RunWorkItem keyed)
            throws InterruptedException {
        try {
            for (TargetOption guard : plan.guards()) {
                if (guard.raise(lease.grant(), invocation) instanceof Admission.Refused refused) {
                    lease.close();
                    return report.refused(lease, guard, refused);
                }
            }
            if (handle.endedEarly()) {
                return report.interrupted(handle.earlyExitCode());
            }
            Integer refused = keyed == null ? null : keyed.refusedUnder(lease, report);
            return refused == null ? new CommandRun(plan, lease, handle, keyed).run(environment, report) : refused;
        } catch (IOException e) {
            if (keyed != null) {
                keyed.giveUp("it could not be started");
            }
            return handle.endedEarly() ? report.interrupted(handle.earlyExitCode()) : report.notStarted(lease, e);
        } catch (TargetUnavailableException e) {
            if (handle.endedEarly()) {
                return report.interrupted(handle.earlyExitCode());
            }
            throw e;
        }
    }

    /** Passes renewals on to the command, and says what is worth a line. */
    private final class Teller implements LeaseListener {
        private boolean toldLate;

        @Override
        public void acquired(Lease lease, Transfer transfer) {
            if (transfer.reason() == TransferReason.EXPIRED) {
                invocation
                        .console()
                        .say(lease.grant() + ": the lease before it was not released but expired;"
                                + " that run crashed, stalled or was cut off");
            }
        }

        @Override
        public void renewed(Lease lease, Duration gap) {
            handle.renewed(lease, gap);
            String late = toldLate ? null : LateRenewal.explain(lease, gap);
            if (late != null) {
                toldLate = true;
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
                    .error("warning: " + lease.grant() + " could not be released, it lasts until its ttl: "
                            + failure.getMessage());
        }
    }
}
