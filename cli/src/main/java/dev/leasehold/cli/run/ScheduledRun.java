package dev.leasehold.cli.run;

import dev.leasehold.Leases;
import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.child.Signals;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.jobs.SlotReporter;
import dev.leasehold.cli.jobs.SlotWork;
import dev.leasehold.cli.leased.LeasedCommand;
import dev.leasehold.cli.leased.CommandEnvironment;
import dev.leasehold.cli.jobs.RunningSlots;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.jobs.CatchUp;
import dev.leasehold.jobs.DueSlots;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.JobListener;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.jobs.Overlap;
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

/** {@code run --schedule}: runs the slots that are due, each under its own key, for people who keep their crontab. */
public final class ScheduledRun {
    private final Invocation invocation;
    private final RunOptions plan;
    private final Schedule schedule;
    private final CatchUp catchUp;
    private final EngineContext context = SystemContext.create();
    private final RunningSlots running;
    private int code = ExitCode.OK;

    public ScheduledRun(Invocation invocation, RunOptions plan) {
        Arguments arguments = invocation.arguments();
        this.invocation = invocation;
        this.running = new RunningSlots(invocation.console());
        this.plan = plan;
        ZoneId zone = arguments.value(RunCommand.ZONE, Schedule::zone);
        ZoneId used = zone == null ? ZoneId.systemDefault() : zone;
        Schedule given = arguments.value(RunCommand.SCHEDULE, cron -> Schedule.of(cron, used));
        if (given == null) {
            throw new UsageException("--schedule is missing");
        }
        this.schedule = given;
        this.catchUp = CatchUp.latest((int) arguments.number(RunCommand.CATCH_UP, 0, CatchUp.MAX, 1));
        refuseWhatDoesNotFit();
    }

    private void refuseWhatDoesNotFit() {
        if (plan.report() != null) {
            throw new UsageException("--report is about one run, --schedule may run several: use 'leasehold due "
                    + plan.names().get(0) + " --json'");
        }
        if (plan.work() != null) {
            throw new UsageException("--key and --schedule contradict each other: each slot has a key of its own");
        }
        if (plan.names().size() > 2) {
            throw new UsageException("--schedule can fall back to one other name: give --or once");
        }
    }

    public int run() throws Exception {
        Leases.Builder builder = Leases.over(invocation.openStore())
                .terms(plan.terms())
                .context(context)
                .listener(running);
        Thread waiting = Thread.currentThread();
        try (Timers timers = context.timers();
                Leases leases = (plan.holder() == null ? builder : builder.holder(plan.holder())).build();
                Signals handlers = Signals.forward(signal -> running.signalOr(signal, waiting::interrupt))) {
            SlotReporter teller =
                    new SlotReporter(invocation.console(), leases.store().register(), leases.holder(), running);
            Instant next = DueSlots.run(leases, job(leases), new Counting(teller));
            invocation.console().say(plan.names().get(0) + " is due next at " + next);
        } catch (InterruptedException e) {
            return ExitCode.SIGNAL_BASE + 15;
        }
        return code;
    }

    private Job job(Leases leases) {
        LeasedCommand command = new LeasedCommand(plan.command(), null, plan.timeout(), plan.progressOnOutput());
        CommandEnvironment environment = new CommandEnvironment(invocation, leases);
        SlotWork work = new SlotWork(command, Map.of(), plan.guards(), invocation, environment, running);
        return new Job(
                plan.names().get(0),
                schedule,
                plan.terms(),
                overlap(),
                catchUp,
                dev.leasehold.jobs.Retries.NONE,
                plan.jitter(),
                null,
                work);
    }

    private Overlap overlap() {
        List<LeaseName> names = plan.names();
        if (names.size() == 2) {
            return new Overlap.Fallback(names.get(1));
        }
        Duration patience = plan.patience();
        return patience.isZero() ? Overlap.SKIP : new Overlap.Wait(patience);
    }

    /** One failed slot makes the whole call fail, as one failed command does. */
    private final class Counting implements JobListener {
        private final SlotReporter teller;

        Counting(SlotReporter teller) {
            this.teller = teller;
        }

        @Override
        public void started(Slot slot, Grant grant, int attempt) {
            teller.started(slot, grant, attempt);
        }

        @Override
        public void ended(Job job, Outcome outcome) {
            code = outcome.kind() == Outcome.Kind.FAILED ? ExitCode.FAILED : code;
            teller.ended(job, outcome);
        }

        @Override
        public void again(Slot slot, String why) {
            teller.again(slot, why);
        }

        @Override
        public void replaced(Slot slot) {
            teller.replaced(slot);
        }

        @Override
        public void trouble(Job job, String what) {
            teller.trouble(job, what);
        }
    }
}
