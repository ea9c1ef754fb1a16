package dev.leasehold.cli.jobs;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Interventions;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.events.JobMoves;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.jobs.StartResult;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code leasehold start}: runs a job now, on one of the machines that run it. */
public final class StartCommand implements Command {
    private static final Option REASON =
            Option.of("reason", "S", Kind.TEXT, "the reason, which is recorded (default: none)");
    private static final Option WAIT =
            Option.of("wait", "D", Kind.DURATION, "wait for the outcome, for at most this long (default: do not wait)");
    private static final Option REQUEST = Option.of(
            "request",
            "ID",
            Kind.TEXT,
            "an id of your own: the same request twice is one run (default: a random one for each call)");
    private static final Duration LOOK = Duration.ofMillis(300);

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("start", "run a scheduled job now")
                .description(
                        """
                        Asks the machines that run the job to run it now. One of them does, within seconds, with the
                        overlap policy of the job. If none is running, the request is dropped after ten minutes. A job
                        that is paused is not started: exit code 1. With --wait, the exit code is 0 if the job ran, 1 if
                        it failed, was skipped or was dropped, and 124 if that is not known in time.""")
                .positional(Positional.of("NAME", Kind.JOB_NAME))
                .option(REASON)
                .option(WAIT)
                .option(REQUEST)
                .option(SharedOptions.OPERATOR)
                .example("leasehold start daily-publish --wait 10m");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        SystemIds ids = new SystemIds();
        LeaseName name = invocation.arguments().leaseName(0);
        AttemptId given = invocation.arguments().value(REQUEST, AttemptId::of);
        AttemptId request = given == null ? AttemptId.of(ids.unique()) : given;
        Holder holder = SharedOptions.holder(invocation);
        Holder by = holder == null ? SystemContext.defaultHolder(ids) : holder;
        Note reason = invocation.arguments().value(REASON, Note::of);
        Duration wait = invocation.arguments().duration(WAIT, Duration.ZERO);
        try (LeaseStore store = invocation.openStore()) {
            JobMoves moves = new JobMoves(store.register());
            StartResult result =
                    Interventions.repeated(() -> moves.start(name, request, by, reason == null ? "" : reason.value()));
            if (result instanceof StartResult.Asked asked) {
                return asked(invocation, store, name, asked, wait);
            }
            return refused(invocation, store, name, result);
        }
    }

    private static int refused(Invocation invocation, LeaseStore store, LeaseName name, StartResult why) {
        if (why instanceof StartResult.NoSuchJob) {
            throw JobPause.unknown(name, new JobRecords(store.register()));
        }
        if (why instanceof StartResult.Paused paused) {
            invocation
                    .console()
                    .error(name + " is paused by " + paused.pause().by() + " ("
                            + SafeText.escape(paused.pause().reason().value())
                            + "), so it was not started. 'leasehold resume "
                            + name + "' ends the pause");
        } else {
            invocation
                    .console()
                    .error(((StartResult.TooMany) why).waiting() + " starts of " + name
                            + " wait for a machine, so this one was refused. Is 'leasehold up' running?");
        }
        return ExitCode.FAILED;
    }

    private static int asked(
            Invocation invocation, LeaseStore store, LeaseName name, StartResult.Asked asked, Duration wait)
            throws InterruptedException {
        Instant slot = asked.start().slot();
        Outcome outcome = wait.isZero() ? null : await(new JobRecords(store.register()), name, slot, wait);
        if (invocation.json()) {
            invocation.console().print(json(name, asked, outcome).toString());
        } else if (outcome == null) {
            invocation.console().print(told(name, asked));
        } else {
            String reason = outcome.reason().isEmpty() ? "" : ": " + SafeText.escape(outcome.reason());
            invocation.console().print(name + "@" + slot + " " + outcome.kind().word() + reason);
        }
        if (outcome != null) {
            return outcome.kind() == Outcome.Kind.RAN ? ExitCode.OK : ExitCode.FAILED;
        }
        if (wait.isZero()) {
            return ExitCode.OK;
        }
        invocation
                .console()
                .error(name + " has no outcome after " + DurationText.show(wait)
                        + "; it may still run: see 'leasehold due " + name + "'");
        return ExitCode.TIMEOUT;
    }

    private static Json json(LeaseName name, StartResult.Asked asked, @Nullable Outcome outcome) {
        Instant slot = asked.start().slot();
        Json json = new Json()
                .put("job", name)
                .put("slot", slot)
                .put("key", name + "@" + slot)
                .put("request", asked.start().request())
                .put("again", asked.again())
                .put("state", outcome == null ? asked.state() : outcome.kind().word());
        return outcome == null ? json : json.put("reason", outcome.reason());
    }

    private static String told(LeaseName name, StartResult.Asked asked) {
        String what = name + "@" + asked.start().slot();
        return asked.again()
                ? what + " was asked for before; its state is " + asked.state()
                : what + " is asked for: a machine that runs " + name
                        + " takes it up within seconds; see 'leasehold due " + name + "'";
    }

    /** Null if the slot has no outcome in time. */
    private static @Nullable Outcome await(JobRecords records, LeaseName name, Instant slot, Duration wait)
            throws InterruptedException {
        long began = System.nanoTime();
        while (true) {
            Optional<Outcome> found = Interventions.repeated(() -> records.read(name)).stream()
                    .flatMap(page -> page.record().outcomes().stream())
                    .filter(outcome -> outcome.from().equals(slot))
                    .findFirst();
            long left = wait.toNanos() - (System.nanoTime() - began);
            if (found.isPresent() || left <= 0) {
                return found.orElse(null);
            }
            Thread.sleep(Math.min(LOOK.toMillis(), Duration.ofNanos(left).toMillis() + 1));
        }
    }
}
