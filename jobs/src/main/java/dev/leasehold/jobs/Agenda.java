package dev.leasehold.jobs;

import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * When the next pass over each job is due, with one timer for all jobs. Safe for use by
 * many threads.
 */
final class Agenda {
    /** Timers stand still while the machine sleeps. This bounds how late a wake-up is noticed. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** The store's clock may be coarse: without a pause, passes would only ask it more often. */
    private static final Duration SHORTEST = Duration.ofMillis(2);

    private record Planned(Instant at, LeaseName job) implements Comparable<Planned> {
        @Override
        public int compareTo(Planned other) {
            return at.compareTo(other.at);
        }
    }

    private final Timers timers;
    private final StoreClock clock;
    private final Consumer<LeaseName> whenDue;
    private final Runnable idle;
    private final PriorityQueue<Planned> queue = new PriorityQueue<>();
    private final Map<LeaseName, Planned> current = new HashMap<>();
    private Runnable cancel = () -> {};
    /** Whether a timer is set that has not fired. */
    private boolean set;

    private boolean closed;

    /**
     * Neither callback may block. What they throw is logged and does not affect other jobs.
     *
     * @param whenDue called when a job is due
     * @param idle called from time to time, when no job is due
     */
    Agenda(Timers timers, StoreClock clock, Consumer<LeaseName> whenDue, Runnable idle) {
        this.timers = timers;
        this.clock = clock;
        this.whenDue = whenDue;
        this.idle = idle;
    }

    /**
     * Plans the next pass over a job and replaces the one that was planned. Throws if no
     * timer could be set and no earlier one is set: then nothing happens until the next call
     * to this method.
     */
    synchronized void plan(LeaseName job, Instant at) {
        remove(job);
        Planned planned = new Planned(at, job);
        current.put(job, planned);
        queue.add(planned);
        arm();
    }

    /** Plans a pass over a job, unless an earlier one is planned. Throws as {@link #plan} does. */
    synchronized void planBefore(LeaseName job, Instant at) {
        Planned before = current.get(job);
        if (before == null || at.isBefore(before.at)) {
            plan(job, at);
        }
    }

    synchronized void remove(LeaseName job) {
        Planned planned = current.remove(job);
        if (planned != null) {
            queue.remove(planned);
        }
    }

    /** The clock was set, so planned passes may be sooner or later than the timer assumes. */
    synchronized void clockWasSet() {
        arm();
    }

    synchronized void close() {
        closed = true;
        cancel.run();
    }

    private void fire() {
        List<LeaseName> due;
        synchronized (this) {
            set = false;
            due = takeUpTo(clock.now());
            try {
                arm();
            } catch (Throwable e) {
                // Without a timer no planned pass would start. Each pass plans the next one, so all
                // start now.
                Logs.warn("no timer could be set, so every job is checked now: " + e);
                due.addAll(takeUpTo(Instant.MAX));
            }
        }
        due.forEach(job -> guarded(() -> whenDue.accept(job)));
        if (due.isEmpty()) {
            guarded(idle);
        }
        guarded(this::armIfNotSet);
    }

    private synchronized void armIfNotSet() {
        if (!set) {
            arm();
        }
    }

    private List<LeaseName> takeUpTo(Instant time) {
        List<LeaseName> taken = new ArrayList<>();
        while (!queue.isEmpty() && !queue.peek().at.isAfter(time)) {
            Planned planned = queue.remove();
            current.remove(planned.job);
            taken.add(planned.job);
        }
        return taken;
    }

    private static void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            Logs.warn("a scheduled pass failed; its job is checked again", e);
        }
    }

    /**
     * Sets the timer; called with the lock held. The old timer is cancelled only after the new one
     * is set: if that fails, the old one fires within a minute, and this is tried again. For the
     * same reason a timer is set even if nothing is planned.
     */
    private void arm() {
        if (closed) {
            return;
        }
        Runnable before = cancel;
        try {
            cancel = timers.after(queue.isEmpty() ? LONGEST : pause(queue.peek().at), this::fire);
        } catch (Throwable e) {
            if (!set) {
                throw e;
            }
            Logs.warn("a timer could not be set, so a job may start a minute late: " + e);
            return;
        }
        set = true;
        before.run();
    }

    private Duration pause(Instant until) {
        Instant now = clock.now();
        if (!until.isAfter(now)) {
            return SHORTEST;
        }
        Duration pause = until.isAfter(now.plus(LONGEST)) ? LONGEST : Duration.between(now, until);
        return pause.compareTo(SHORTEST) < 0 ? SHORTEST : pause;
    }
}
