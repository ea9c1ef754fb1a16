package dev.leasehold.cli.run;

import dev.leasehold.Leases;
import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.child.Signals;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.jobs.RunningSlots;
import dev.leasehold.cli.jobs.SlotReporter;
import dev.leasehold.cli.jobs.SlotWork;
import dev.leasehold.cli.leased.CommandEnvironment;
import dev.leasehold.cli.leased.LeasedCommand;
import dev.leasehold.events.RunOrigin;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.jobs.CatchUp;
import dev.leasehold.jobs.DueSlots;
import dev.leasehold.jobs.EndedAttempt;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.JobListener;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.jobs.Overlap;
import dev.leasehold.jobs.Retries;
import dev.leasehold.jobs.Schedule;
import dev.leasehold.jobs.Slot;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/**
 * {@code run --schedule}: runs the slots that are due, each under its own key. A crontab can call
 * it repeatedly.
 */
final class ScheduledRun {
    private final Invocation invocation;
    private final RunOptions options;
    private final Schedule schedule;
    private final CatchUp catchUp;
    private final EngineContext context = SystemContext.create();
    private final RunningSlots running;
    private int code = ExitCode.OK;

    ScheduledRun(Invocation invocation, RunOptions options) {
        Arguments arguments = invocation.arguments();
        this.invocation = invocation;
        this.running = new RunningSlots(invocation.console());
        this.options = options;
        ZoneId zone = arguments.value(RunCommand.ZONE, Schedule::zone);
        ZoneId used = zone == null ? ZoneId.systemDefault() : zone;
        Schedule given = arguments.value(RunCommand.SCHEDULE, cron -> Schedule.of(cron, used));
        if (given == null) {
            throw new UsageException("--schedule is missing");
        }
        this.schedule = given;
        this.catchUp = CatchUp.latest((int) arguments.number(RunCommand.CATCH_UP, 0, CatchUp.MAX, 1));
        refuseConflicts();
    }

    private void refuseConflicts() {
        if (options.report() != null) {
            throw new UsageException("--report describes one run, but --schedule may run several; use 'leasehold due "
                    + options.names().get(0) + " --json'");
        }
        if (options.workId() != null) {
            throw new UsageException("--key and --schedule contradict each other: each slot has its own key");
        }
        if (options.names().size() > 2) {
            throw new UsageException("--schedule can fall back to only one other name; give --or once");
        }
    }

    int run() throws Exception {
        Leases.Builder builder = Leases.over(invocation.openStore())
                .terms(options.terms())
                .context(context)
                .listener(running);
        Thread waiting = Thread.currentThread();
        try (Timers timers = context.timers();
                Leases leases = (options.holder() == null ? builder : builder.holder(options.holder())).build();
                Signals handlers = Signals.forward(signal -> running.signalOr(signal, waiting::interrupt))) {
            RunOrigin origin = RunOrigin.of(options.command(), invocation.environment(), null);
            SlotReporter reporter = new SlotReporter(
                    invocation.console(), leases.store().register(), leases.holder(), running, name -> origin);
            Instant next = DueSlots.run(leases, job(leases), new ExitCodeListener(reporter));
            invocation.console().say(options.names().get(0) + " is due next at " + next);
        } catch (InterruptedException e) {
            return ExitCode.SIGNAL_BASE + 15;
        }
        return code;
    }

    private Job job(Leases leases) {
        LeasedCommand command =
                new LeasedCommand(options.command(), null, options.timeout(), options.progressOnOutput());
        CommandEnvironment environment = new CommandEnvironment(invocation, leases);
        SlotWork work = new SlotWork(command, Map.of(), options.guards(), environment, running);
        return new Job(
                options.names().get(0),
                schedule,
                options.terms(),
                overlap(),
                catchUp,
                Retries.NONE,
                options.jitter(),
                null,
                work);
    }

    private Overlap overlap() {
        List<LeaseName> names = options.names();
        if (names.size() == 2) {
            return new Overlap.Fallback(names.get(1));
        }
        Duration patience = options.patience();
        return patience.isZero() ? Overlap.SKIP : new Overlap.Wait(patience);
    }

    /** Passes everything on to the reporter, and makes the exit code 1 if a slot failed. */
    private final class ExitCodeListener implements JobListener {
        private final SlotReporter reporter;

        ExitCodeListener(SlotReporter reporter) {
            this.reporter = reporter;
        }

        @Override
        public void started(Slot slot, Grant grant, int attempt) {
            reporter.started(slot, grant, attempt);
        }

        @Override
        public void ended(Job job, Outcome outcome) {
            code = outcome.kind() == Outcome.Kind.FAILED ? ExitCode.FAILED : code;
            reporter.ended(job, outcome);
        }

        @Override
        public void again(Slot slot, EndedAttempt ended) {
            reporter.again(slot, ended);
        }

        @Override
        public void replaced(Slot slot) {
            reporter.replaced(slot);
        }

        @Override
        public void trouble(Job job, String what) {
            reporter.trouble(job, what);
        }
    }
}
