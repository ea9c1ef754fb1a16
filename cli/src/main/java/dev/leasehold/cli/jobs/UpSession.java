package dev.leasehold.cli.jobs;

import dev.leasehold.Leases;
import dev.leasehold.Stores;
import dev.leasehold.cli.args.CommonOptions;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.child.Signals;
import dev.leasehold.cli.child.SystemdNotifier;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.command.StoreUrl;
import dev.leasehold.cli.leased.CommandEnvironment;
import dev.leasehold.cli.leased.LeasedCommand;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.targets.FileTargets;
import dev.leasehold.cli.targets.LeaseTargets;
import dev.leasehold.cli.targets.TargetOption;
import dev.leasehold.events.RunOrigin;
import dev.leasehold.internal.JdbcUrlHint;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.Jobs;
import dev.leasehold.jobs.file.JobCommand;
import dev.leasehold.jobs.file.JobFile;
import dev.leasehold.jobs.file.JobFileException;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.Timers;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One {@code leasehold up}: reads the file, runs its jobs until a signal, then lets them finish.
 */
final class UpSession {
    private static final Duration LOOK_AT_FILE = Duration.ofSeconds(1);

    private final Invocation invocation;
    private final Console console;
    private final Path path;
    private final EngineContext context = SystemContext.create();
    private final RunningSlots running;
    private final SlotLog log;
    private final JobOutputs outputs;
    private final SlotHooks hooks;
    private final SystemdNotifier systemd;
    private final BlockingQueue<String> signals = new LinkedBlockingQueue<>();

    /** What systemd shows about this service as long as the store answers. */
    private volatile String status = "";

    /** The command of each job. */
    private final Map<LeaseName, RunOrigin> origins = new ConcurrentHashMap<>();

    UpSession(Invocation invocation) {
        String given = invocation.arguments().text(UpCommand.FILE);
        this.invocation = invocation;
        this.running = new RunningSlots(invocation.console());
        this.console = invocation.console();
        this.log = new SlotLog(console, formatOf(invocation), InstantSource.system());
        this.outputs = new JobOutputs(console, log);
        this.hooks = new SlotHooks(console);
        this.systemd =
                new SystemdNotifier(invocation.environment(), complaint -> console.error("warning: " + complaint));
        this.path = FileTargets.parse("--file", given == null ? "leasehold.yaml" : given);
    }

    private static SlotLog.Format formatOf(Invocation invocation) {
        if (invocation.arguments().has(UpCommand.CHECK)) {
            return SlotLog.Format.PLAIN;
        }
        return invocation.json() || "json".equals(invocation.arguments().text(UpCommand.LOG))
                ? SlotLog.Format.JSON
                : SlotLog.Format.TEXT;
    }

    int run() throws Exception {
        // Created before the file is read, so that a change in between is not missed.
        ChangedFile changes = new ChangedFile(path);
        JobFile file = read();
        if (file == null) {
            return ExitCode.USAGE;
        }
        if (invocation.arguments().has(UpCommand.CHECK)) {
            return new UpCheck(invocation).print(file);
        }
        log.begin();
        Invocation own = withStoreOf(file);
        Leases.Builder builder = Leases.over(own.openStore()).context(context).listener(running);
        Holder holder = SharedOptions.holder(invocation);
        try (systemd;
                hooks;
                Timers timers = context.timers();
                Leases leases = (holder == null ? builder : builder.holder(holder)).build();
                Signals handlers = Signals.forward(signals::add)) {
            Jobs jobs = Jobs.over(leases)
                    .parallel(file.parallel())
                    .listener(reporter(leases))
                    .start();
            CommandEnvironment environment = new CommandEnvironment(own, leases);
            List<Job> first = jobs(file, environment);
            jobs.replace(first);
            CatchUpNotes.say(console, first);
            console.say(leases.holder() + " runs " + jobCount(file) + " of " + path);
            // The store has answered: it was asked for its id when it was opened.
            systemd.ready(statusOf(file));
            JobFile last = file;
            DailyPruning pruning = new DailyPruning(console, leases.store(), context.ticker());
            try {
                last = runUntilSignal(jobs, file, changes, environment, pruning);
            } finally {
                // Also after a failure of this program: running jobs must not be cut off while
                // their leases are held.
                systemd.stopping();
                new UpStop(console, signals).stop(jobs, last.stopWithin());
                pruning.end();
            }
        }
        return ExitCode.OK;
    }

    private SlotReporter reporter(Leases leases) {
        return new SlotReporter(
                log,
                new StoreOutage(
                        console,
                        context.ticker(),
                        answers -> systemd.status(answers ? status : "the store does not answer; trying again")),
                console,
                leases.store().register(),
                leases.holder(),
                running,
                this::origin,
                hooks::ended);
    }

    /** Null if the file is invalid, which has been reported. */
    private @Nullable JobFile read() {
        try {
            JobFile file = JobFile.read(path);
            return isStoreKnown(file.store()) ? file : null;
        } catch (JobFileException e) {
            e.problems().forEach(console::error);
        } catch (NoSuchFileException e) {
            console.error(path + " does not exist; name the job file with -f FILE");
        } catch (IOException e) {
            console.error("cannot read " + path + ": " + e.getMessage());
        }
        return null;
    }

    /** Only the scheme is checked: the rest shows when the store is opened. */
    private boolean isStoreKnown(@Nullable String url) {
        if (url == null) {
            return true;
        }
        int colon = url.indexOf(':');
        boolean known =
                colon > 0 && Stores.schemes().contains(url.substring(0, colon).toLowerCase(Locale.ROOT));
        if (!known) {
            console.error(
                    path + ": store: " + (JdbcUrlHint.isJdbc(url) ? JdbcUrlHint.message(url) : unknownScheme(colon)));
        }
        return known;
    }

    private static String unknownScheme(int colon) {
        return "the URL has " + (colon > 0 ? "an unknown scheme" : "no scheme") + "; use one of "
                + String.join(", ", Stores.schemes());
    }

    /** An option takes precedence over the file, and the file over the environment. */
    private Invocation withStoreOf(JobFile file) {
        if (file.store() == null || invocation.arguments().has(CommonOptions.STORE)) {
            return invocation;
        }
        Map<String, String> environment = new HashMap<>(invocation.environment());
        environment.put(StoreUrl.VARIABLE, file.store());
        return new Invocation(invocation.arguments(), environment, console);
    }

    private List<Job> jobs(JobFile file, CommandEnvironment environment) {
        List<Job> jobs = file.jobs(command -> work(command, environment));
        log.show(jobs);
        return jobs;
    }

    /** A job that is no longer in the file may still be running. */
    private RunOrigin origin(LeaseName job) {
        return origins.computeIfAbsent(
                job, name -> RunOrigin.of(List.of("leasehold", "up"), invocation.environment(), null));
    }

    private Job.Work work(JobCommand job, CommandEnvironment environment) {
        origins.put(
                LeaseName.of(job.job()),
                RunOrigin.of(
                        job.command(), invocation.environment(), job.directory().toAbsolutePath()));
        hooks.put(job);
        JobCommandLookup.problems(job, invocation).forEach(problem -> console.error("warning: " + problem));
        LeasedCommand command =
                new LeasedCommand(job.command(), job.directory(), job.timeout(), job.progressOnOutput());
        return new SlotWork(
                command, job.environment(), guards(job, invocation), environment, running, outputs.of(job.output()));
    }

    /** @throws UsageException if a guard would protect nothing */
    static LeaseTargets guards(JobCommand job, Invocation invocation) {
        String where = "jobs." + job.job() + ".guard";
        LeaseName name = LeaseName.of(job.job());
        LeaseTargets guards = new LeaseTargets(name);
        return job.guards().isEmpty()
                ? guards
                : guards.with(name, TargetOption.parse(where, job.guards(), job.directory(), invocation));
    }

    /** Waits for TERM or INT and returns the file as last read. HUP and USR1 read it again at once. */
    private JobFile runUntilSignal(
            Jobs jobs, JobFile first, ChangedFile changes, CommandEnvironment environment, DailyPruning pruning)
            throws InterruptedException {
        JobFile file = first;
        while (true) {
            pruning.pruneIfTime(file);
            String signal = signals.poll(LOOK_AT_FILE.toMillis(), TimeUnit.MILLISECONDS);
            if (signal != null && !signal.equals("HUP") && !signal.equals("USR1")) {
                return file;
            }
            if (signal == null && !changes.hasSettled()) {
                continue;
            }
            if (signal != null) {
                systemd.reloading();
                changes.know();
            }
            JobFile changed = readAgain(jobs, file, environment);
            if (changed == null) {
                console.error("the previous jobs stay in force");
                systemd.ready(status + "; " + path + " was changed and is not used");
            } else {
                file = changed;
                console.say(path + (signal == null ? " has changed" : " was read again") + ": running " + jobCount(file)
                        + " now");
                systemd.ready(statusOf(file));
            }
        }
    }

    /** Another machine that starts with the new file would use another store, and both would run the same slots. */
    private boolean keepsStore(JobFile before, JobFile changed) {
        boolean same =
                invocation.arguments().has(CommonOptions.STORE) || Objects.equals(before.store(), changed.store());
        if (!same) {
            console.error(path
                    + ": store: it was changed, and 'up' stays with the store that it started with. Restart 'up' on"
                    + " every machine that runs this file");
        } else if (before.parallel() != changed.parallel()) {
            console.error("warning: " + path + ": parallel: the new number counts when 'up' is started again");
        }
        return same;
    }

    private String statusOf(JobFile file) {
        status = "runs " + jobCount(file) + " of " + path;
        return status;
    }

    private static String jobCount(JobFile file) {
        int count = file.entries().size();
        return count == 1 ? "1 job" : count + " jobs";
    }

    /**
     * Null if the file cannot be used, which has been reported. An invalid file never ends running
     * jobs.
     */
    @SuppressWarnings("CatchingUnchecked")
    private @Nullable JobFile readAgain(Jobs jobs, JobFile before, CommandEnvironment environment) {
        try {
            JobFile changed = read();
            if (changed != null && !keepsStore(before, changed)) {
                return null;
            }
            if (changed != null) {
                jobs.replace(jobs(changed, environment));
            }
            return changed;
        } catch (UsageException e) {
            console.error(path + ": " + e.getMessage());
        } catch (RuntimeException | Error e) {
            console.error(path + " was not used because of an internal error: " + e);
        }
        return null;
    }
}
