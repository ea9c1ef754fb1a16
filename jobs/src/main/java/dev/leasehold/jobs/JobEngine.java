package dev.leasehold.jobs;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.Timers.Lane;
import dev.leasehold.work.WorkLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Looks at jobs when it is time, and runs their slots. What becomes of a slot is decided elsewhere, on the job's record. */
final class JobEngine {
    /** How long the store's time is reckoned before it is asked for again. */
    private static final Duration CLOCK_TRUSTED = Duration.ofMinutes(15);

    private static final Duration AFTER_TROUBLE = Duration.ofSeconds(2);
    /** Work that does not heed an interrupt is left behind; its lease ends with its ttl. */
    private static final Duration AFTER_STOP = Duration.ofSeconds(30);

    /** A look may have got a lease just now: it is let finish, so that it can give it back. */
    private static final Duration AFTER_LAST_LOOK = Duration.ofSeconds(2);

    private static final Duration STOP_POLL = Duration.ofMillis(20);

    private final Leases leases;
    private final EngineContext context;
    private final WorkLedger ledger;
    private final JobListener listener;
    private final Workers workers;
    private final StoreClock clock;
    private final RecordWriter clerk;
    private final Agenda agenda;
    private final Map<LeaseName, Desk> desks = new HashMap<>();
    private final Set<SlotRun> runs = new LinkedHashSet<>();
    private int looks;
    private long started;
    private boolean closing;
    private boolean closed;
    private boolean askingForTime;

    JobEngine(Leases leases, JobListener listener, Executor executor, int parallel) {
        this.leases = leases;
        this.context = leases.context();
        this.ledger = WorkLedger.over(leases.store(), context.timers());
        this.listener = new CarefulListener(listener);
        this.workers = new Workers(executor, parallel, this::lookNow);
        this.clock = new StoreClock(context.ticker());
        this.clerk = new RecordWriter(leases, clock, ledger, this.listener);
        this.agenda = new Agenda(context.timers(), clock, this::dispatch, this::watchClock);
    }

    /** An engine that looks only when it is told to, and runs what it finds on the thread that told it. */
    static JobEngine onCallersThread(Leases leases, JobListener listener) {
        JobEngine engine = new JobEngine(leases, listener, Runnable::run, 1);
        engine.agenda.close();
        return engine;
    }

    /** How many runs were started so far. */
    synchronized long started() {
        return started;
    }

    /** How long it is until a moment of the store's time. */
    Duration until(Instant moment) {
        Instant now = clock.now();
        return moment.isAfter(now) ? Duration.between(now, moment) : Duration.ZERO;
    }

    /** What this machine knows of one job; looked at by one thread at a time. */
    private static final class Desk {
        private final JobWatch watch = new JobWatch();
        private Job job;
        private boolean looking;
        private boolean lookAgain;

        Desk(Job job) {
            this.job = job;
        }
    }

    Leases leases() {
        return leases;
    }

    JobListener listener() {
        return listener;
    }

    Duration upTo(Duration longest) {
        return Duration.ofMillis(context.ids().below(longest.toMillis() + 1));
    }

    /** From now on these are the jobs. What is running goes on, also if its job is not among them any more. */
    void replace(List<Job> jobs) {
        List<LeaseName> names = new ArrayList<>();
        synchronized (this) {
            for (Job job : jobs) {
                names.add(job.name());
                Desk desk = desks.computeIfAbsent(job.name(), name -> new Desk(job));
                desk.job = job;
            }
            desks.keySet().removeIf(name -> {
                boolean gone = !names.contains(name);
                if (gone) {
                    agenda.remove(name);
                }
                return gone;
            });
        }
        names.forEach(this::lookNow);
    }

    /** Starts nothing any more, waits for what is running, and stops it if that takes longer than {@code limit}. */
    void close(Duration limit) throws InterruptedException {
        synchronized (this) {
            closing = true;
        }
        agenda.close();
        within(AFTER_LAST_LOOK, () -> !isLooking());
        if (!within(limit, () -> snapshot().isEmpty())) {
            snapshot().forEach(SlotRun::stop);
            within(AFTER_STOP, () -> snapshot().isEmpty());
        }
        synchronized (this) {
            closed = true;
        }
    }

    private boolean within(Duration limit, BooleanSupplier done) throws InterruptedException {
        ClockReading began = context.ticker().read();
        while (!done.getAsBoolean()) {
            if (began.elapsedUntil(context.ticker().read()).compareTo(limit) >= 0) {
                return false;
            }
            context.timers().sleep(STOP_POLL);
        }
        return true;
    }

    private synchronized boolean isLooking() {
        return looks > 0;
    }

    private synchronized List<SlotRun> snapshot() {
        return List.copyOf(runs);
    }

    /** A daily job would go by what the store's clock said yesterday. */
    private void watchClock() {
        boolean ask;
        synchronized (this) {
            ask = !askingForTime && !closing && !desks.isEmpty() && clock.isOlderThan(CLOCK_TRUSTED);
            askingForTime |= ask;
        }
        if (ask) {
            workers.execute(this::askForTime, e -> doneAsking());
        }
    }

    private void askForTime() {
        try {
            clerk.askForTime();
            agenda.clockWasSet();
        } catch (Throwable e) {
            // Whoever looks at a job next says so; until then the reckoning has to do.
        } finally {
            doneAsking();
        }
    }

    private synchronized void doneAsking() {
        askingForTime = false;
    }

    // --- looking

    private void lookNow(LeaseName job) {
        try {
            agenda.planBefore(job, Instant.MIN);
        } catch (Throwable e) {
            // No timer can be set. This look needs none, and sees to it that the one after it is planned.
            dispatch(job);
        }
    }

    private void dispatch(LeaseName name) {
        Desk desk;
        synchronized (this) {
            desk = desks.get(name);
            if (desk == null || closing) {
                return;
            }
            if (desk.looking) {
                desk.lookAgain = true;
                return;
            }
            desk.looking = true;
        }
        workers.execute(() -> look(desk), e -> noLook(desk, e));
    }

    /**
     * There is no thread for a look: the job is as it was, and its time comes again soon. Throws if there is no thread that
     * keeps the time either, because then nobody comes back to the job: whoever wanted the look has to know.
     */
    private void noLook(Desk desk, Throwable why) {
        Job job;
        synchronized (this) {
            job = desk.job;
            desk.looking = false;
        }
        String what = "no worker could be started to look at it; that is tried again soon: " + why;
        agenda.plan(job.name(), clock.now().plus(AFTER_TROUBLE));
        try {
            // This is the thread of the timers, which must not wait for a listener.
            context.timers().run(Lane.CALLBACK, () -> listener.trouble(job, what));
        } catch (Throwable e) {
            Logs.warn("job " + job.name() + ": " + what);
        }
    }

    private void look(Desk desk) {
        Job job;
        synchronized (this) {
            if (closing) {
                desk.looking = false;
                return;
            }
            job = desk.job;
            desk.lookAgain = false;
            looks++;
        }
        Instant again = Instant.MIN;
        try {
            again = lookAt(job, desk.watch);
        } finally {
            boolean planned = planNext(desk, job, again);
            while (!planned) {
                planned = planNext(desk, job, again);
            }
        }
    }

    /** Ends a look. False if no timer could be set: then this thread has to wait in its place and try again. */
    private boolean planNext(Desk desk, Job job, Instant again) {
        try {
            synchronized (this) {
                boolean gone = desks.get(job.name()) != desk;
                if (!closing && !gone) {
                    agenda.plan(job.name(), desk.lookAgain || !desk.job.equals(job) ? Instant.MIN : again);
                }
                looks--;
                desk.looking = false;
            }
            return true;
        } catch (Throwable e) {
            listener.trouble(job, "its next look could not be planned, which is tried again: " + e);
            rest();
            return false;
        }
    }

    private void rest() {
        try {
            context.timers().sleep(AFTER_TROUBLE);
        } catch (InterruptedException e) {
            // Whoever wants this machine to stop closes it; until then somebody has to come back to the job.
        }
    }

    private Instant lookAt(Job job, JobWatch watch) {
        try {
            return new JobPass(this, job, watch).look();
        } catch (StoreUnavailableException | StoreCorruptException | RejectedExecutionException e) {
            listener.trouble(job, String.valueOf(e.getMessage()));
        } catch (Throwable e) {
            // A mistake of ours must not end the other jobs, nor this one for ever.
            listener.trouble(job, "unexpected: " + e);
        }
        return clock.now().plus(AFTER_TROUBLE);
    }

    JobRecords.Change change(Job job, BiFunction<JobRecord, Instant, JobRecord> change) {
        return clerk.change(job, change);
    }

    // --- running

    /** Empty if all workers are busy, or this machine is stopping: the job is looked at again when one is free. */
    Optional<Workers.Permit> tryPermit(Job job) {
        synchronized (this) {
            if (closing) {
                return Optional.empty();
            }
        }
        return workers.tryPermit(job.name());
    }

    synchronized boolean isRunningHere(Job job, OpenSlot running) {
        return find(job.name(), running) != null;
    }

    private @Nullable SlotRun find(LeaseName job, OpenSlot running) {
        for (SlotRun run : runs) {
            if (run.job().name().equals(job)
                    && running.isRunBy(run.token())
                    && running.slot().equals(run.entry().slot())) {
                return run;
            }
        }
        return null;
    }

    /**
     * Starts a run, to which the lease and the permit belong from then on.
     *
     * @throws RejectedExecutionException if it could not be started: the lease is still the caller's, the permit is given back
     */
    void run(Job job, OpenSlot entry, Lease lease, Workers.Permit permit) {
        SlotRun run = new SlotRun(job, entry, lease, ledger, this, context.timers());
        add(run);
        Workers.Permit own = permit.passOn();
        workers.execute(
                () -> {
                    try {
                        run.run();
                    } finally {
                        ended(run, own);
                        lookNow(job.name());
                    }
                },
                e -> {
                    ended(run, own);
                    throw new RejectedExecutionException(
                            "no worker could be started for " + run.slot() + "; the slot is queued again: " + e, e);
                });
    }

    private synchronized void add(SlotRun run) {
        if (closed) {
            throw new RejectedExecutionException(run.slot() + " is left to other machines: this one was stopped");
        }
        runs.add(run);
        started++;
    }

    private void ended(SlotRun run, Workers.Permit permit) {
        try (permit) {
            synchronized (this) {
                runs.remove(run);
            }
        }
    }

    /** Stops runs of this machine that the record does not know any more, without waiting for their next renewal. */
    void stopReplaced(Job job, JobRecord record) {
        for (SlotRun run : snapshot()) {
            boolean current = record.openAt(run.entry().slot())
                    .filter(entry -> entry.isRunBy(run.token()))
                    .isPresent();
            if (run.job().name().equals(job.name()) && !current) {
                run.stop();
            }
        }
    }
}
