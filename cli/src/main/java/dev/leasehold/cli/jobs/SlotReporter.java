package dev.leasehold.cli.jobs;

import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.events.RunOrigin;
import dev.leasehold.jobs.EndedAttempt;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.JobListener;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.jobs.Slot;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reports what this machine does with slots on stderr and in the log that {@code explain} shows.
 */
public final class SlotReporter implements JobListener {
    private final Console console;
    private final RunLog runs;
    private final SlotLog log;
    private final @Nullable StoreOutage outage;
    private final Holder holder;
    private final RunningSlots running;
    private final Function<LeaseName, RunOrigin> origins;
    private final TightSchedules tight;
    private final BiConsumer<LeaseName, Outcome> afterwards;

    /** @param origins the command of each job and who called it */
    public SlotReporter(
            Console console,
            CasRegister register,
            Holder holder,
            RunningSlots running,
            Function<LeaseName, RunOrigin> origins) {
        this(
                new SlotLog(console, SlotLog.Format.PLAIN, InstantSource.system()),
                null,
                console,
                register,
                holder,
                running,
                origins,
                (job, outcome) -> {});
    }

    /**
     * @param outage collects the failures of the store; null to report each
     * @param afterwards called with each outcome that this machine recorded; must be quick
     */
    SlotReporter(
            SlotLog log,
            @Nullable StoreOutage outage,
            Console console,
            CasRegister register,
            Holder holder,
            RunningSlots running,
            Function<LeaseName, RunOrigin> origins,
            BiConsumer<LeaseName, Outcome> afterwards) {
        this.log = log;
        this.outage = outage;
        this.afterwards = afterwards;
        this.console = console;
        this.runs = new RunLog(register);
        this.holder = holder;
        this.running = running;
        this.origins = origins;
        this.tight = new TightSchedules(console, runs);
    }

    @Override
    public void started(Slot slot, Grant grant, int attempt) {
        log.say(
                slot,
                "started",
                "started, token " + grant.token() + (attempt == 1 ? "" : ", attempt " + attempt),
                new Json()
                        .put("token", grant.token().value())
                        .put("attempt", attempt)
                        .put("holder", holder));
    }

    @Override
    public void ended(Job job, Outcome outcome) {
        Slot first = new Slot(job.name(), outcome.from());
        String more = outcome.slots() == 1 ? "" : "to " + outcome.to() + " (" + outcome.slots() + " slots) ";
        String reason = outcome.reason().isEmpty() ? "" : ": " + outcome.reason();
        String what = more
                + outcome.kind().word()
                + (outcome.attempt() == 0 ? "" : " in " + DurationText.show(outcome.took()))
                + reason;
        if (outcome.kind() == Outcome.Kind.FAILED) {
            log.error(first, outcome.kind().word(), what, SlotViews.details(outcome));
        } else {
            log.say(first, outcome.kind().word(), what, SlotViews.details(outcome));
        }
        String line = first + " " + what;
        afterwards.accept(job.name(), outcome);
        record(job, outcome, line);
        if (outcome.attempt() > 0) {
            tight.check(job, outcome.from());
        }
    }

    @Override
    public void again(Slot slot, EndedAttempt attempt) {
        EndedAttempt.Retry retry = attempt.retry();
        Json details = new Json().put("attempt", attempt.number()).put("why", attempt.why());
        if (retry != null) {
            details.put("retry", retry.number()).put("retries", retry.allowed()).put("retryInMs", retry.delay());
        }
        log.say(
                slot,
                attempt.kind().name().toLowerCase(Locale.ROOT),
                "attempt " + attempt.number() + " " + endAndNext(attempt),
                details);
        RunningSlots.Ended ended = running.takeEnded(slot);
        if (ended != null) {
            ended.lease().loss().ifPresent(loss -> recordLoss(slot, ended, loss.kind(), loss.explanation()));
        }
    }

    private static String endAndNext(EndedAttempt attempt) {
        EndedAttempt.Retry retry = attempt.retry();
        if (retry != null) {
            return "failed (" + attempt.why() + "); retry " + retry.number() + " of " + retry.allowed() + " in "
                    + DurationText.show(retry.delay());
        }
        return switch (attempt.kind()) {
            case STOPPED -> "was stopped here; another machine continues the slot";
            case UNRECORDED ->
                "ended, but the store did not record it; a machine that reaches the store continues the" + " slot";
            default -> "was cut off (" + attempt.why() + "); this machine or another continues the slot";
        };
    }

    @Override
    public void replaced(Slot slot) {
        String line = "another run replaced it; 'leasehold due " + slot.job() + "' shows the outcome of the slot";
        log.say(slot, "replaced", "was stopped here: " + line, new Json());
        RunningSlots.Ended ended = running.takeEnded(slot);
        if (ended != null) {
            recordLoss(slot, ended, Loss.Kind.SUPERSEDED, line);
        }
    }

    @Override
    public void trouble(Job job, String what) {
        log.trouble(job.name(), what);
    }

    @Override
    public void unavailable(Job job, String what) {
        if (outage == null) {
            trouble(job, what);
        } else {
            outage.failed(what);
        }
    }

    @Override
    public void unavailable(String what) {
        if (outage != null) {
            outage.failed(what);
        }
    }

    @Override
    public void answered() {
        if (outage != null) {
            outage.answered();
        }
    }

    /**
     * Appends to the log of runs. The log only informs people, so a failure to write it does not
     * change the outcome.
     */
    private void record(Job job, Outcome outcome, String line) {
        String kind =
                switch (outcome.kind()) {
                    case RAN -> "ran";
                    case FAILED -> "failed";
                    case SKIPPED -> "skipped_overlap";
                    case DROPPED -> "dropped_slots";
                };
        RunningSlots.Ended ended = running.takeEnded(new Slot(job.name(), outcome.from()));
        RunEntry.Renewals renewals = outcome.token() == null || ended == null ? null : ended.renewals();
        RunEntry entry = new RunEntry(outcome.at(), kind, outcome.token(), holder, outcome.took(), line, renewals);
        List<String> printed = outcome.kind() == Outcome.Kind.FAILED && ended != null ? ended.printed() : List.of();
        write(job.name(), entry.printed(printed));
    }

    private void recordLoss(Slot slot, RunningSlots.Ended run, Loss.Kind kind, String why) {
        write(
                slot.job(),
                new RunEntry(
                                Instant.now(),
                                kind.counter(),
                                run.lease().grant().token(),
                                holder,
                                run.took(),
                                slot + ": " + why,
                                run.renewals())
                        .printed(run.printed()));
    }

    private void write(LeaseName name, RunEntry entry) {
        try {
            runs.append(name, entry.from(origins.apply(name)));
        } catch (StoreUnavailableException | StoreCorruptException e) {
            String what = "'explain' will not show this: " + e.getMessage();
            if (e instanceof StoreUnavailableException && outage != null) {
                outage.failed(what);
            } else {
                console.say("warning: " + what);
            }
        }
    }
}
