package dev.leasehold.cli.jobs;

import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.runlog.RunAdvice;
import dev.leasehold.cli.runlog.RunLog;
import dev.leasehold.jobs.Job;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Says once of each schedule that it comes faster than its runs are done. */
final class TightSchedules {
    private final Console console;
    private final RunLog log;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    TightSchedules(Console console, RunLog log) {
        this.console = console;
        this.log = log;
    }

    /** Called after a run of the job was recorded. */
    void look(Job job, Instant slot) {
        String which = job.name() + " " + job.schedule();
        if (told.contains(which)) {
            return;
        }
        Optional<Duration> interval = job.schedule().shortestInterval(slot);
        RunAdvice advice = advice(job);
        if (advice != null
                && interval.isPresent()
                && advice.runs() >= RunAdvice.LEAST_RUNS
                && advice.p95().compareTo(interval.get()) > 0
                && told.add(which)) {
            console.say("warning: " + job.name() + " is due every " + DurationText.show(interval.get())
                    + ", but one run in twenty takes " + DurationText.show(advice.p95())
                    + " or longer: slots will overlap; let it come less often, or see 'leasehold advise " + job.name()
                    + "'");
        }
    }

    private @Nullable RunAdvice advice(Job job) {
        try {
            return RunAdvice.of(log.of(job.name()).newestFirst());
        } catch (StoreUnavailableException | StoreCorruptException e) {
            // Only advice: there is a next run.
            return null;
        }
    }
}
