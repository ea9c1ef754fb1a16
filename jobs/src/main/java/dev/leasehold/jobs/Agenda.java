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

/** When to look at which job: one timer for all of them. Safe for use by many threads. */
final class Agenda {
    /** A machine that slept wakes with timers that stood still; this bounds how late that is noticed. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** The store's clock may tick coarsely: asking again without a pause would only ask more often. */
    private static final Duration SHORTEST = Duration.ofMillis(2);

    private record Planned(Instant at, LeaseName job) implements Comparable<Planned> {
        @Override
        public int compareTo(Planned other) {
            return at.compareTo(other.at);
        }
    }

    private final Timers timers;
    private final StoreClock clock;
    private final Consumer<LeaseName> look;
    private final Runnable idle;
    private final PriorityQueue<Planned> queue = new PriorityQueue<>();
    private final Map<LeaseName, Planned> current = new HashMap<>();
    private Runnable cancel = () -> {};
    /** Whether a timer is set that has not rung. */
    private boolean set;

    private boolean closed;

    /**
     * Both must not block. What they throw is logged, and hinders no other job.
     *
     * @param look called when a job's time has come
     * @param idle called from time to time, when none has
     */
    Agenda(Timers timers, StoreClock clock, Consumer<LeaseName> look, Runnable idle) {
        this.timers = timers;
        this.clock = clock;
        this.look = look;
        this.idle = idle;
    }

    /**
     * Plans the next look at a job, in place of the one that was planned. Throws if no timer could be set and none is set from
     * before: then nobody comes back to this agenda unless somebody plans again.
     */
    synchronized void plan(LeaseName job, Instant at) {
        remove(job);
        Planned planned = new Planned(at, job);
        current.put(job, planned);
        queue.add(planned);
        arm();
    }

    /** Plans a look at a job, unless an earlier one is planned. Throws as {@link #plan} does. */
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

    /** The clock was set: what is planned may be nearer or further away than it was. */
    synchronized void clockWasSet() {
        arm();
    }

    synchronized void close() {
        closed = true;
        cancel.run();
    }

    private void ring() {
        List<LeaseName> due;
        synchronized (this) {
            set = false;
            due = takeUpTo(clock.now());
            try {
                arm();
            } catch (Throwable e) {
                // Nobody would come back to what is planned. A look plans the one after it, so all are looked at now.
                Logs.warn("no timer could be set, so every job is looked at now: " + e);
                due.addAll(takeUpTo(Instant.MAX));
            }
        }
        due.forEach(job -> guarded(() -> look.accept(job)));
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
            Logs.warn("a step of the agenda failed; its job is looked at again", e);
        }
    }

    /**
     * Called with the lock held. The timer before is cancelled only when the new one is set: if that fails, the old one still
     * rings, a minute from now at the latest, and this is tried again. For the same reason one is set when nothing is planned.
     */
    private void arm() {
        if (closed) {
            return;
        }
        Runnable before = cancel;
        try {
            cancel = timers.after(queue.isEmpty() ? LONGEST : pause(queue.peek().at), this::ring);
        } catch (Throwable e) {
            if (!set) {
                throw e;
            }
            Logs.warn("a timer could not be set, so a look may be a minute late: " + e);
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
