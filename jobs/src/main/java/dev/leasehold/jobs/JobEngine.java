package dev.leasehold.jobs;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.work.WorkLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/**
 * The parts that run the jobs of one machine: the scheduler of its passes, its workers, its runs
 * and its view of the store's clock. What becomes of a slot is decided on the job's record, in
 * {@link DueSlotPolicy} and {@link SlotTransitions}.
 */
final class JobEngine {
    /** How long the estimate of the store's time is used before the store is asked again. */
    private static final Duration CLOCK_TRUSTED = Duration.ofMinutes(15);

    /** Work that ignores an interrupt for this long is left behind; its lease ends with its ttl. */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    /** A running pass may just have got a lease, so it is given time to release it. */
    private static final Duration LAST_PASS_LIMIT = Duration.ofSeconds(2);

    private static final Duration STOP_POLL = Duration.ofMillis(20);

    private final Leases leases;
    private final EngineContext context;
    private final WorkLedger ledger;
    private final JobListener listener;
    private final Workers workers;
    private final StoreClock clock;
    private final RecordWriter writer;
    private final PassScheduler scheduler;
    private final StartLookout lookout;
    private final LocalRuns runs = new LocalRuns();
    private boolean askingForTime;

    /** @param lookForStarts how often to look for jobs that a person started; zero for never */
    JobEngine(Leases leases, JobListener listener, Executor executor, int parallel, Duration lookForStarts) {
        this.leases = leases;
        this.context = leases.context();
        this.ledger = WorkLedger.over(leases.store(), context.timers());
        this.listener = new CarefulListener(listener);
        this.workers = new Workers(executor, parallel, this::passNow);
        this.clock = new StoreClock(context.ticker());
        this.writer = new RecordWriter(leases, clock, ledger, this.listener);
        this.scheduler = new PassScheduler(context.timers(), clock, workers, this.listener, this::passOver, this::idle);
        JobStarts starts = new JobStarts(leases.store().register());
        this.lookout =
                new StartLookout(context, workers, scheduler, starts, lookForStarts, this::passNow, this.listener);
    }

    /**
     * An engine that schedules nothing: it makes a pass only when asked, and runs slots on the
     * caller's thread.
     */
    static JobEngine onCallersThread(Leases leases, JobListener listener) {
        JobEngine engine = new JobEngine(leases, listener, Runnable::run, 1, Duration.ZERO);
        engine.scheduler.stopTimers();
        return engine;
    }

    Leases leases() {
        return leases;
    }

    JobListener listener() {
        return listener;
    }

    LocalRuns runs() {
        return runs;
    }

    /** How long it is until a moment of the store's time. */
    Duration until(Instant moment) {
        Instant now = clock.now();
        return moment.isAfter(now) ? Duration.between(now, moment) : Duration.ZERO;
    }

    Duration randomUpTo(Duration longest) {
        return Duration.ofMillis(context.ids().below(longest.toMillis() + 1));
    }

    /** Replaces all jobs. Runs go on, even if their job is no longer among them. */
    void replace(List<Job> jobs) {
        scheduler.replace(jobs);
        lookout.start();
    }

    /**
     * Starts nothing more, waits for the runs, and stops those that take longer than {@code limit}.
     */
    void close(Duration limit) throws InterruptedException {
        scheduler.close();
        lookout.close();
        waitUntil(() -> !scheduler.isInPass(), LAST_PASS_LIMIT);
        if (!waitUntil(runs::isEmpty, limit)) {
            runs.stopAll();
            waitUntil(runs::isEmpty, STOP_LIMIT);
        }
        runs.close();
    }

    private boolean waitUntil(BooleanSupplier done, Duration limit) throws InterruptedException {
        ClockReading began = context.ticker().read();
        while (!done.getAsBoolean()) {
            if (began.elapsedUntil(context.ticker().read()).compareTo(limit) >= 0) {
                return false;
            }
            context.timers().sleep(STOP_POLL);
        }
        return true;
    }

    private void idle() {
        refreshClock();
        lookout.start();
    }

    /**
     * Asks for the store's time if it is old. Without this, a daily job would use a day-old
     * clock reading.
     */
    private void refreshClock() {
        boolean ask;
        synchronized (this) {
            ask = !askingForTime && scheduler.isActive() && clock.isOlderThan(CLOCK_TRUSTED);
            askingForTime |= ask;
        }
        if (ask) {
            workers.execute(this::askForTime, e -> doneAsking());
        }
    }

    private void askForTime() {
        try {
            writer.askForTime();
            scheduler.clockWasSet();
        } catch (Throwable e) {
            // The next pass over a job reports the failure; until then the estimate is used.
        } finally {
            doneAsking();
        }
    }

    private synchronized void doneAsking() {
        askingForTime = false;
    }

    private void passNow(LeaseName job) {
        scheduler.passNow(job);
    }

    private Instant passOver(Job job, JobWatch watch) {
        return new JobPass(this, job, watch).run();
    }

    JobRecords.Change change(Job job, BiFunction<JobRecord, Instant, JobRecord> change) {
        return writer.change(job, change);
    }

    /**
     * Empty if all workers are busy, in which case a free worker triggers another pass, or if this
     * machine is stopping.
     */
    Optional<Workers.Permit> tryPermit(Job job) {
        return scheduler.isClosed() ? Optional.empty() : workers.tryPermit(job.name());
    }

    /**
     * Starts a run, which then owns the lease and the permit.
     *
     * @throws RejectedExecutionException if it could not be started: the caller keeps the lease,
     *     the permit is returned
     */
    void run(Job job, OpenSlot entry, Lease lease, Workers.Permit permit) {
        SlotRun run = new SlotRun(job, entry, lease, ledger, this, context.timers());
        runs.add(run);
        Workers.Permit own = permit.passOn();
        workers.execute(
                () -> {
                    try {
                        run.run();
                    } finally {
                        ended(run, own);
                        passNow(job.name());
                    }
                },
                e -> {
                    ended(run, own);
                    throw new RejectedExecutionException(
                            "no worker could be started for " + run.slot() + "; the slot is queued again: " + e, e);
                });
    }

    private void ended(SlotRun run, Workers.Permit permit) {
        try (permit) {
            runs.remove(run);
        }
    }
}
