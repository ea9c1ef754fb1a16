package dev.leasehold.jobs;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Stamp;
import dev.leasehold.spi.Surroundings;
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
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Looks at jobs when it is time, and runs their slots. What becomes of a slot is decided elsewhere, on the job's record. */
final class JobEngine {
    /** How long the store's time is reckoned before it is asked for again. */
    private static final Duration CLOCK_TRUSTED = Duration.ofMinutes(15);

    private static final Duration AFTER_TROUBLE = Duration.ofSeconds(2);
    /** Work that does not heed an interrupt is left behind; its lease ends with its ttl. */
    private static final Duration AFTER_STOP = Duration.ofSeconds(30);

    private static final Duration STOP_POLL = Duration.ofMillis(20);

    private final Leases leases;
    private final Surroundings surroundings;
    private final SlotBook book;
    private final WorkLedger ledger;
    private final JobListener listener;
    private final Executor executor;
    private final int parallel;
    private final StoreClock clock;
    private final Agenda agenda;
    private final Map<LeaseName, Desk> desks = new HashMap<>();
    private final Set<SlotRun> runs = new LinkedHashSet<>();
    private final Set<LeaseName> waitingForWorker = new LinkedHashSet<>();
    private int permits;
    private long started;
    private boolean closing;
    private boolean askingForTime;

    JobEngine(Leases leases, JobListener listener, Executor executor, int parallel) {
        this.leases = leases;
        this.surroundings = leases.surroundings();
        this.book = new SlotBook(leases.store().register());
        this.ledger = WorkLedger.over(leases.store(), surroundings.timers());
        this.listener = listener;
        this.executor = executor;
        this.parallel = parallel;
        this.clock = new StoreClock(surroundings.ticker());
        this.agenda = new Agenda(surroundings.timers(), clock, this::dispatch, this::watchClock);
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

    /** The right to occupy one worker. */
    final class Permit implements AutoCloseable {
        private boolean open = true;

        @Override
        public void close() {
            List<LeaseName> waiting;
            synchronized (JobEngine.this) {
                permits -= open ? 1 : 0;
                open = false;
                waiting = List.copyOf(waitingForWorker);
                waitingForWorker.clear();
            }
            waiting.forEach(JobEngine.this::lookNow);
        }
    }

    Leases leases() {
        return leases;
    }

    JobListener listener() {
        return listener;
    }

    Duration upTo(Duration longest) {
        return Duration.ofMillis(surroundings.ids().below(longest.toMillis() + 1));
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
        if (!idleWithin(limit)) {
            snapshot().forEach(SlotRun::stop);
            idleWithin(AFTER_STOP);
        }
    }

    private boolean idleWithin(Duration limit) throws InterruptedException {
        Stamp started = surroundings.ticker().read();
        while (!isIdle()) {
            if (started.elapsedUntil(surroundings.ticker().read()).compareTo(limit) >= 0) {
                return false;
            }
            surroundings.timers().sleep(STOP_POLL);
        }
        return true;
    }

    /** A look that has a permit may be about to take a lease: whoever stops now would leave it held by nobody. */
    private synchronized boolean isIdle() {
        return permits == 0;
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
            executor.execute(this::askForTime);
        }
    }

    private void askForTime() {
        Stamp asked = surroundings.ticker().read();
        try {
            clock.learn(book.now(), asked);
            agenda.clockWasSet();
        } catch (StoreUnavailableException | StoreCorruptException e) {
            // Whoever looks at a job next says so; until then the reckoning has to do.
        } finally {
            synchronized (this) {
                askingForTime = false;
            }
        }
    }

    // --- looking

    private void lookNow(LeaseName job) {
        agenda.planBefore(job, Instant.MIN);
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
        executor.execute(() -> look(desk));
    }

    private void look(Desk desk) {
        Job job;
        synchronized (this) {
            job = desk.job;
            desk.lookAgain = false;
        }
        Instant again = lookAt(job, desk.watch);
        synchronized (this) {
            desk.looking = false;
            boolean gone = desks.get(job.name()) != desk;
            if (!closing && !gone) {
                agenda.plan(job.name(), desk.lookAgain || !desk.job.equals(job) ? Instant.MIN : again);
            }
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private Instant lookAt(Job job, JobWatch watch) {
        try {
            return new JobLook(this, job, watch).look();
        } catch (StoreUnavailableException | StoreCorruptException e) {
            listener.trouble(job, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            // A mistake of ours must not end the other jobs, nor this one for ever.
            listener.trouble(job, "unexpected: " + e);
        }
        return clock.now().plus(AFTER_TROUBLE);
    }

    /** One change of a job's record, told to the listener. */
    SlotBook.Change change(Job job, BiFunction<JobRecord, Instant, JobRecord> change) {
        Stamp asked = surroundings.ticker().read();
        SlotBook.Change made = book.change(job.name(), change);
        clock.learn(made.at(), asked);
        for (Outcome outcome : made.ended()) {
            listener.ended(job, outcome);
            count(job, outcome);
            if (outcome.attempt() > 0) {
                forget(job, new Slot(job.name(), outcome.from()));
            }
        }
        return made;
    }

    private void count(Job job, Outcome outcome) {
        if (outcome.kind() == Outcome.Kind.SKIPPED) {
            leases.tell(l -> l.slotSkipped(job.name(), outcome.from()));
        } else if (outcome.kind() == Outcome.Kind.DROPPED) {
            leases.tell(l -> l.slotsDropped(job.name(), outcome.slots()));
        }
    }

    /** The watermark and the outcome remember that the slot has ended; its work item would only pile up. */
    private void forget(Job job, Slot slot) {
        try {
            ledger.forget(slot.workId());
        } catch (StoreUnavailableException | StoreCorruptException e) {
            listener.trouble(job, "the work item of " + slot + " stays: " + e.getMessage());
        }
    }

    // --- running

    /** Empty if all workers are busy, or this machine is stopping: the job is looked at again when one is free. */
    synchronized Optional<Permit> tryPermit(Job job) {
        if (closing || permits >= parallel) {
            waitingForWorker.add(job.name());
            return Optional.empty();
        }
        permits++;
        return Optional.of(new Permit());
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

    void run(Job job, OpenSlot entry, Lease lease, Permit permit) {
        SlotRun run = new SlotRun(job, entry, lease, ledger, this, surroundings.timers());
        synchronized (this) {
            runs.add(run);
            started++;
        }
        executor.execute(() -> {
            try {
                run.run();
            } finally {
                synchronized (this) {
                    runs.remove(run);
                }
                permit.close();
                lookNow(job.name());
            }
        });
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
