package dev.leasehold.cli.jobs;

import dev.leasehold.Leases;
import dev.leasehold.cli.args.CommonOptions;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.child.Signals;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.command.StoreUrl;
import dev.leasehold.cli.leased.CommandEnvironment;
import dev.leasehold.cli.leased.LeasedCommand;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.targets.FileTargets;
import dev.leasehold.cli.targets.TargetOption;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.Jobs;
import dev.leasehold.jobs.file.JobCommand;
import dev.leasehold.jobs.file.JobFile;
import dev.leasehold.jobs.file.JobFileException;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Holder;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.Timers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One {@code leasehold up}, from reading the file to the end of the last job. */
final class UpSession {
    private static final Duration LOOK_AT_FILE = Duration.ofSeconds(1);

    private final Invocation invocation;
    private final Console console;
    private final Path path;
    private final EngineContext context = SystemContext.create();
    private final RunningSlots running;
    private final BlockingQueue<String> signals = new LinkedBlockingQueue<>();

    UpSession(Invocation invocation) {
        String given = invocation.arguments().text(UpCommand.FILE);
        this.invocation = invocation;
        this.running = new RunningSlots(invocation.console());
        this.console = invocation.console();
        this.path = FileTargets.parse("--file", given == null ? "leasehold.yaml" : given);
    }

    int run() throws Exception {
        // Before it is read: a change that comes meanwhile is not missed.
        ChangedFile changes = new ChangedFile(path);
        JobFile file = read();
        if (file == null) {
            return ExitCode.USAGE;
        }
        if (invocation.arguments().has(UpCommand.CHECK)) {
            return new UpCheck(invocation).print(file);
        }
        Invocation own = withStoreOf(file);
        Leases.Builder builder = Leases.over(own.openStore()).context(context).listener(running);
        Holder holder = SharedOptions.holder(invocation.arguments());
        try (Timers timers = context.timers();
                Leases leases = (holder == null ? builder : builder.holder(holder)).build();
                Signals handlers = Signals.forward(signals::add)) {
            Jobs jobs = Jobs.over(leases)
                    .parallel(file.parallel())
                    .listener(new SlotReporter(console, leases.store().register(), leases.holder(), running))
                    .start();
            CommandEnvironment environment = new CommandEnvironment(own, leases);
            jobs.replace(jobs(file, environment));
            console.say(leases.holder() + " looks after " + file.entries().size() + " jobs of " + path);
            JobFile last = file;
            try {
                last = untilToldToStop(
                        jobs, file, changes, environment, new WorkPruner(console, leases.store(), context.ticker()));
            } finally {
                // Also after a failure of ours: what is running must not be cut off with its leases held.
                stop(jobs, last.stopWithin());
            }
        }
        return ExitCode.OK;
    }

    /** Null if it has mistakes, which have been told. */
    private @Nullable JobFile read() {
        try {
            return JobFile.read(path);
        } catch (JobFileException e) {
            e.problems().forEach(console::error);
        } catch (NoSuchFileException e) {
            console.error("there is no " + path + "; name the job file with -f FILE");
        } catch (IOException e) {
            console.error("cannot read " + path + ": " + e.getMessage());
        }
        return null;
    }

    /** What is typed goes before what the file says, and that before the environment. */
    private Invocation withStoreOf(JobFile file) {
        if (file.store() == null || invocation.arguments().has(CommonOptions.STORE)) {
            return invocation;
        }
        Map<String, String> environment = new HashMap<>(invocation.environment());
        environment.put(StoreUrl.VARIABLE, file.store());
        return new Invocation(invocation.arguments(), environment, console);
    }

    private List<Job> jobs(JobFile file, CommandEnvironment environment) {
        return file.jobs(command -> work(command, environment));
    }

    private Job.Work work(JobCommand job, CommandEnvironment environment) {
        LeasedCommand command =
                new LeasedCommand(job.command(), job.directory(), job.timeout(), job.progressOnOutput());
        List<TargetOption> guards = TargetOption.parse("guard", job.guards(), job.directory(), invocation);
        return new SlotWork(command, job.environment(), guards, invocation, environment, running);
    }

    /** Returns the file as it was last read. */
    private JobFile untilToldToStop(
            Jobs jobs, JobFile first, ChangedFile changes, CommandEnvironment environment, WorkPruner oldItems)
            throws InterruptedException {
        JobFile file = first;
        while (true) {
            oldItems.pruneIfTime(file.keepDone());
            String signal = signals.poll(LOOK_AT_FILE.toMillis(), TimeUnit.MILLISECONDS);
            if (signal != null && !signal.equals("HUP") && !signal.equals("USR1")) {
                return file;
            }
            if (!changes.hasSettled() && signal == null) {
                continue;
            }
            JobFile changed = readAgain(jobs, environment);
            if (changed == null) {
                console.error("the jobs stay as they were");
            } else {
                file = changed;
                console.say(
                        path + " has changed: looking after " + file.entries().size() + " jobs now");
            }
        }
    }

    /** Null if it cannot be used, which has been told. Nothing that is wrong with a file is worth the jobs that run. */
    @SuppressWarnings("CatchingUnchecked")
    private @Nullable JobFile readAgain(Jobs jobs, CommandEnvironment environment) {
        try {
            if (Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path)) {
                // A pipe can be read once; the second time nobody may be there who writes to it.
                console.error(path + " is no regular file, and so cannot be read again");
                return null;
            }
            JobFile changed = read();
            if (changed != null) {
                jobs.replace(jobs(changed, environment));
            }
            return changed;
        } catch (UsageException e) {
            console.error(path + ": " + e.getMessage());
        } catch (RuntimeException | Error e) {
            console.error(path + " was not taken in because of a mistake in this program: " + e);
        }
        return null;
    }

    private void stop(Jobs jobs, Duration limit) throws InterruptedException {
        console.say("stopping; running jobs have " + DurationText.show(limit)
                + " to finish, a second signal ends them now");
        Thread stopper = Thread.currentThread();
        Thread impatience = new Thread(() -> interruptOnSignal(stopper), "leasehold-second-signal");
        impatience.setDaemon(true);
        try {
            startOrDoWithout(impatience);
            jobs.stop(limit);
        } catch (InterruptedException e) {
            jobs.stop(Duration.ZERO);
        } finally {
            impatience.interrupt();
        }
    }

    private void startOrDoWithout(Thread impatience) {
        try {
            impatience.start();
        } catch (OutOfMemoryError noThread) {
            console.say("a second signal will not be heard: no thread can be started");
        }
    }

    private void interruptOnSignal(Thread stopper) {
        try {
            signals.take();
            stopper.interrupt();
        } catch (InterruptedException e) {
            // All jobs have ended.
        }
    }
}
