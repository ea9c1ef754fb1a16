package dev.leasehold.jobs;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Timers;
import dev.leasehold.spi.Timers.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

/**
 * Starts the passes of this machine over its jobs when they are due: one pass per job at a time,
 * and always another one planned after it. Safe for use by many threads.
 */
final class PassScheduler {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final Timers timers;
    private final StoreClock clock;
    private final Workers workers;
    private final JobListener listener;
    private final Pass pass;
    private final Agenda agenda;
    private final Map<LeaseName, LocalJob> jobs = new HashMap<>();
    private int passes;
    private boolean closed;

    /** Makes one pass over a job and returns when the next one is due, by the store's clock. */
    @FunctionalInterface
    interface Pass {
        Instant over(Job job, JobWatch watch);
    }

    /** What this machine knows of one job. At most one thread makes a pass over it. */
    private static final class LocalJob {
        private final JobWatch watch = new JobWatch();
        private Job job;
        private boolean inPass;
        private boolean passRequested;

        LocalJob(Job job) {
            this.job = job;
        }
    }

    /** @param idle called from time to time, when no job is due */
    PassScheduler(Timers timers, StoreClock clock, Workers workers, JobListener listener, Pass pass, Runnable idle) {
        this.timers = timers;
        this.clock = clock;
        this.workers = workers;
        this.listener = listener;
        this.pass = pass;
        this.agenda = new Agenda(timers, clock, this::startPass, idle);
    }

    /** Replaces all jobs, and makes a pass over each of the new ones. */
    void replace(List<Job> newJobs) {
        List<LeaseName> names = new ArrayList<>();
        synchronized (this) {
            for (Job job : newJobs) {
                names.add(job.name());
                jobs.computeIfAbsent(job.name(), name -> new LocalJob(job)).job = job;
            }
            jobs.keySet().removeIf(name -> {
                boolean gone = !names.contains(name);
                if (gone) {
                    agenda.remove(name);
                }
                return gone;
            });
        }
        names.forEach(this::passNow);
    }

    /** Whether there is something to schedule. */
    synchronized boolean isActive() {
        return !closed && !jobs.isEmpty();
    }

    synchronized boolean knows(LeaseName job) {
        return jobs.containsKey(job);
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Whether a pass is running. */
    synchronized boolean isInPass() {
        return passes > 0;
    }

    void clockWasSet() {
        agenda.clockWasSet();
    }

    /** Plans nothing from now on. */
    void stopTimers() {
        agenda.close();
    }

    /** Starts no more passes. A pass that is running ends by itself. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        stopTimers();
    }

    /** Requests a pass over a job as soon as possible. */
    void passNow(LeaseName job) {
        try {
            agenda.planBefore(job, Instant.MIN);
        } catch (Throwable e) {
            // No timer can be set. This pass needs none, and it plans the one after it.
            startPass(job);
        }
    }

    private void startPass(LeaseName name) {
        LocalJob local;
        synchronized (this) {
            local = jobs.get(name);
            if (local == null || closed) {
                return;
            }
            if (local.inPass) {
                local.passRequested = true;
                return;
            }
            local.inPass = true;
        }
        workers.execute(() -> runPass(local), e -> passNotStarted(local, e));
    }

    /**
     * No thread could be started for a pass: the job is unchanged, and the pass is planned again.
     * Throws if no timer can be set either: then nothing would come back to the job, and the caller
     * has to know.
     */
    private void passNotStarted(LocalJob local, Throwable why) {
        Job job;
        synchronized (this) {
            job = local.job;
            local.inPass = false;
        }
        String what = "no worker could be started to check it; trying again soon: " + why;
        agenda.plan(job.name(), clock.now().plus(RETRY_AFTER));
        try {
            // This is the timers' thread, which must not wait for a listener.
            timers.run(Lane.CALLBACK, () -> listener.trouble(job, what));
        } catch (Throwable e) {
            Logs.warn("job " + job.name() + ": " + what);
        }
    }

    private void runPass(LocalJob local) {
        Job job;
        synchronized (this) {
            if (closed) {
                local.inPass = false;
                return;
            }
            job = local.job;
            local.passRequested = false;
            passes++;
        }
        Instant next = Instant.MIN;
        try {
            next = passOver(job, local.watch);
        } finally {
            boolean planned = planNext(local, job, next);
            while (!planned) {
                planned = planNext(local, job, next);
            }
        }
    }

    /**
     * Ends a pass. Returns false if no timer could be set: then this thread has to wait instead and
     * try again.
     */
    private boolean planNext(LocalJob local, Job job, Instant next) {
        try {
            synchronized (this) {
                boolean gone = jobs.get(job.name()) != local;
                if (!closed && !gone) {
                    boolean now = local.passRequested || !local.job.equals(job);
                    agenda.plan(job.name(), now ? Instant.MIN : next);
                }
                passes--;
                local.inPass = false;
            }
            return true;
        } catch (Throwable e) {
            listener.trouble(job, "its next check could not be planned; trying again: " + e);
            pauseBeforeRetry();
            return false;
        }
    }

    private void pauseBeforeRetry() {
        try {
            timers.sleep(RETRY_AFTER);
        } catch (InterruptedException e) {
            // Only close() stops this machine. Until then a thread has to come back to the job.
        }
    }

    private Instant passOver(Job job, JobWatch watch) {
        try {
            Instant next = pass.over(job, watch);
            listener.answered();
            return next;
        } catch (StoreUnavailableException | StoreCorruptException | RejectedExecutionException e) {
            CarefulListener.report(listener, job, String.valueOf(e.getMessage()), e);
        } catch (Throwable e) {
            // A bug in Leasehold must not end the other jobs, nor this one for good.
            listener.trouble(job, "unexpected: " + e);
        }
        return clock.now().plus(RETRY_AFTER);
    }
}
