package dev.leasehold.cli;

import dev.leasehold.RunEntry;
import dev.leasehold.RunLog;
import dev.leasehold.cli.output.Console;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.JobListener;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.jobs.Slot;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;

/** Says what this machine does with slots, one line each, and writes it into the log that {@code explain} shows. */
final class SlotTeller implements JobListener {
    private final Console console;
    private final RunLog log;
    private final Holder holder;
    private final RunningCommands running;

    SlotTeller(Console console, CasRegister register, Holder holder, RunningCommands running) {
        this.console = console;
        this.log = new RunLog(register);
        this.holder = holder;
        this.running = running;
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
        record(job, outcome, line);
    }

    @Override
    public void again(Slot slot, String why) {
        console.say(slot + " ended without an outcome here, it is tried again: " + why);
    }

    @Override
    public void trouble(Job job, String what) {
        console.error("job " + job.name() + ": " + what);
    }

    /** The log is for people: that it cannot be written changes nothing about the slot. */
    private void record(Job job, Outcome outcome, String line) {
        String kind =
                switch (outcome.kind()) {
                    case RAN -> "ran";
                    case FAILED -> "failed";
                    case SKIPPED -> "skipped_overlap";
                    case DROPPED -> "dropped_slots";
                };
        FencingToken token = outcome.token();
        RunEntry.Renewals renewals = token == null ? null : running.renewalsOf(job.name(), token);
        RunEntry entry = new RunEntry(outcome.at(), kind, token, holder, outcome.took(), line, renewals);
        try {
            log.append(job.name(), entry);
        } catch (StoreUnavailableException | StoreCorruptException e) {
            console.say("warning: this will not show in 'explain': " + e.getMessage());
        }
    }
}
