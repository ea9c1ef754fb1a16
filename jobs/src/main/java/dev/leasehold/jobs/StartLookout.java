package dev.leasehold.jobs;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.EngineContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Looks from time to time which jobs a person has started, and requests a pass over them. One call to
 * the store serves all jobs. Safe for use by many threads.
 */
final class StartLookout {
    /** A look at a slow store takes at most this part of the time. */
    private static final int SHARE = 20;

    private static final Duration SOON = Duration.ofSeconds(10);

    private final EngineContext context;
    private final Workers workers;
    private final PassScheduler scheduler;
    private final JobStarts starts;
    private final Duration every;
    private final Consumer<LeaseName> passNow;
    private final JobListener listener;

    /** The marks that led to a pass. Used by one look at a time. */
    private final Map<LeaseName, String> seen = new HashMap<>();

    private Runnable cancel = () -> {};
    private boolean set;
    private boolean closed;

    /** @param every how long to wait between two looks; zero to look never */
    StartLookout(
            EngineContext context,
            Workers workers,
            PassScheduler scheduler,
            JobStarts starts,
            Duration every,
            Consumer<LeaseName> passNow,
            JobListener listener) {
        this.context = context;
        this.workers = workers;
        this.scheduler = scheduler;
        this.starts = starts;
        this.every = every;
        this.passNow = passNow;
        this.listener = listener;
    }

    /** Plans a look, unless one is planned or under way. */
    void start() {
        plan(every);
    }

    private synchronized void plan(Duration pause) {
        if (set || closed || every.isZero()) {
            return;
        }
        try {
            cancel = context.timers().after(pause, this::due);
            set = true;
        } catch (Throwable e) {
            // The scheduler comes back here when it is idle.
            Logs.warn("no timer could be set, so a start of a job may be noticed late: " + e);
        }
    }

    synchronized void close() {
        closed = true;
        cancel.run();
    }

    private void due() {
        workers.execute(this::lookAndPlan, e -> ended(every));
    }

    private void lookAndPlan() {
        ClockReading began = context.ticker().read();
        boolean failed = false;
        try {
            if (scheduler.isActive()) {
                look();
                listener.answered();
            }
        } catch (StoreUnavailableException e) {
            failed = true;
            listener.unavailable(String.valueOf(e.getMessage()));
        } catch (Throwable e) {
            // The next pass over a job reports it.
            failed = true;
        } finally {
            Duration longer = began.elapsedUntil(context.ticker().read()).multipliedBy(SHARE);
            // Soon after a failure, however long that took: the end of an outage is worth knowing.
            Duration pause = failed && longer.compareTo(SOON) > 0 ? SOON : longer;
            ended(pause.compareTo(every) > 0 ? pause : every);
        }
    }

    private void ended(Duration pause) {
        synchronized (this) {
            set = false;
        }
        plan(pause);
    }

    private void look() {
        Map<LeaseName, String> marked = starts.marked();
        seen.keySet().retainAll(marked.keySet());
        marked.forEach((job, version) -> {
            if (scheduler.knows(job) && !version.equals(seen.get(job))) {
                if (!isOver(job, version)) {
                    passNow.accept(job);
                }
                seen.put(job, version);
            }
        });
    }

    private boolean isOver(LeaseName job, String version) {
        try {
            return starts.unmark(job, version);
        } catch (StoreCorruptException e) {
            // The pass reports it.
            return false;
        }
    }
}
