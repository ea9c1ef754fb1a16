package dev.leasehold.cli.jobs;

import dev.leasehold.cli.output.Console;
import dev.leasehold.events.RunAdvice;
import dev.leasehold.events.RunLog;
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

/** Warns once per schedule whose interval is shorter than its runs. */
final class TightSchedules {
    private final Console console;
    private final RunLog log;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    TightSchedules(Console console, RunLog log) {
        this.console = console;
        this.log = log;
    }

    /** Called after each recorded run of the job. */
    void check(Job job, Instant slot) {
        String which = job.name() + " " + job.schedule();
        if (warned.contains(which)) {
            return;
        }
        Optional<Duration> interval = job.schedule().shortestInterval(slot);
        RunAdvice advice = advice(job);
        if (advice != null
                && interval.isPresent()
                && advice.runs() >= RunAdvice.LEAST_RUNS
                && advice.p95().compareTo(interval.get()) > 0
                && warned.add(which)) {
            console.say("warning: " + job.name() + " is due every " + DurationText.show(interval.get())
                    + ", but one run in twenty takes " + DurationText.show(advice.p95())
                    + " or longer, so slots will overlap. Run it less often, or see 'leasehold advise " + job.name()
                    + "'");
        }
    }

    private @Nullable RunAdvice advice(Job job) {
        try {
            return RunAdvice.of(log.of(job.name()));
        } catch (StoreUnavailableException | StoreCorruptException e) {
            // This is only advice; the next run tries again.
            return null;
        }
    }
}
