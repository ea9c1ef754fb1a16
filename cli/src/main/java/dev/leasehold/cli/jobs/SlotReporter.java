package dev.leasehold.cli.jobs;

import dev.leasehold.cli.output.Console;
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
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Reports what this machine does with slots on stderr and in the log that {@code explain} shows.
 */
public final class SlotReporter implements JobListener {
    private final Console console;
    private final RunLog log;
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
        this(console, register, holder, running, origins, (job, outcome) -> {});
    }

    /** @param afterwards called with each outcome that this machine recorded; must be quick */
    SlotReporter(
            Console console,
            CasRegister register,
            Holder holder,
            RunningSlots running,
            Function<LeaseName, RunOrigin> origins,
            BiConsumer<LeaseName, Outcome> afterwards) {
        this.afterwards = afterwards;
        this.console = console;
        this.log = new RunLog(register);
        this.holder = holder;
        this.running = running;
        this.origins = origins;
        this.tight = new TightSchedules(console, log);
    }

    @Override
    public void started(Slot slot, Grant grant, int attempt) {
        console.say(slot + " started, token " + grant.token() + (attempt == 1 ? "" : ", attempt " + attempt));
    }

    @Override
    public void ended(Job job, Outcome outcome) {
        Slot first = new Slot(job.name(), outcome.from());
        String which = outcome.slots() == 1
                ? first.toString()
                : first + " to " + outcome.to() + " (" + outcome.slots() + " slots)";
        String reason = outcome.reason().isEmpty() ? "" : ": " + outcome.reason();
        String line = which + " " + outcome.kind().word()
                + (outcome.attempt() == 0 ? "" : " in " + DurationText.show(outcome.took()))
                + reason;
        if (outcome.kind() == Outcome.Kind.FAILED) {
            console.error(line);
        } else {
            console.say(line);
        }
        afterwards.accept(job.name(), outcome);
        record(job, outcome, line);
        if (outcome.attempt() > 0) {
            tight.check(job, outcome.from());
        }
    }

    @Override
    public void again(Slot slot, EndedAttempt attempt) {
        console.say(slot + " attempt " + attempt.number() + " " + endAndNext(attempt));
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
        console.say(slot + " was stopped here: " + line);
        RunningSlots.Ended ended = running.takeEnded(slot);
        if (ended != null) {
            recordLoss(slot, ended, Loss.Kind.SUPERSEDED, line);
        }
    }

    @Override
    public void trouble(Job job, String what) {
        console.error("job " + job.name() + ": " + what);
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
        write(job.name(), new RunEntry(outcome.at(), kind, outcome.token(), holder, outcome.took(), line, renewals));
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
                        run.renewals()));
    }

    private void write(LeaseName name, RunEntry entry) {
        try {
            log.append(name, entry.from(origins.apply(name)));
        } catch (StoreUnavailableException | StoreCorruptException e) {
            console.say("warning: 'explain' will not show this: " + e.getMessage());
        }
    }
}
