package dev.leasehold.testkit;

import dev.leasehold.spi.Timers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Timers in virtual time, without threads: a task runs on the thread that lets its time come, in the order in which tasks
 * fall due, and time stands exactly at the moment for which a task was planned while it runs.
 *
 * <p>What goes to a lane runs as soon as the task that sent it is over (at once if none is running). The store's lane takes
 * one at a time, as in production: while one of its tasks sleeps, others wait, but timers and callbacks go on.
 *
 * <p>A task that throws does not stop the others; see {@link #failures()}. Tasks may come from any thread, time should be
 * moved by one.
 */
public final class ManualTimers implements Timers {
    private record Planned(long at, long order, Runnable task) {}

    private record Sent(long order, Runnable task) {}

    private final Consumer<Duration> clocks;
    private final PriorityQueue<Planned> planned =
            new PriorityQueue<>(Comparator.comparingLong(Planned::at).thenComparingLong(Planned::order));
    private final Deque<Sent> toStore = new ArrayDeque<>();
    private final Deque<Sent> toCallbacks = new ArrayDeque<>();
    private final List<RuntimeException> failures = new ArrayList<>();
    private long nowNanos;
    private long order;
    private int running;
    private boolean storeBusy;
    private boolean closed;

    public ManualTimers() {
        this(ignored -> {});
    }

    /** @param clocks told of every step of time before the tasks of that moment run, so that clocks move along */
    public ManualTimers(Consumer<Duration> clocks) {
        this.clocks = clocks;
    }

    /** Lets time pass and runs what falls due, each at its own moment. */
    public void advance(Duration duration) {
        ManualTicker.requireNotNegative(duration);
        long target;
        synchronized (this) {
            target = nowNanos + duration.toNanos();
        }
        settle();
        Planned due = nextDue(target);
        while (due != null) {
            moveTo(due.at);
            perform(due.task);
            settle();
            due = nextDue(target);
        }
        moveTo(target);
    }

    /** Lets time pass while this process is frozen: nothing runs. What fell due meanwhile runs late, at the next advance. */
    public void skip(Duration duration) {
        ManualTicker.requireNotNegative(duration);
        long target;
        synchronized (this) {
            target = nowNanos + duration.toNanos();
        }
        moveTo(target);
    }

    @Override
    public synchronized Runnable after(Duration delay, Runnable task) {
        if (closed) {
            return () -> {};
        }
        long at = nowNanos + Math.max(0, delay.toNanos());
        Planned plan = new Planned(at, order++, task);
        planned.add(plan);
        return () -> cancel(plan);
    }

    @Override
    public void run(Lane lane, Runnable task) {
        synchronized (this) {
            if (closed) {
                return;
            }
            (lane == Lane.STORE ? toStore : toCallbacks).add(new Sent(order++, task));
            if (running > 0) {
                return;
            }
        }
        settle();
    }

    /** Lets virtual time pass, here and for everything that falls due in it. */
    @Override
    public void sleep(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        advance(duration.isNegative() ? Duration.ZERO : duration);
    }

    /** Nothing that was planned runs any more; time can still be moved. */
    @Override
    public synchronized void close() {
        closed = true;
        planned.clear();
        toStore.clear();
        toCallbacks.clear();
    }

    /** How much time has passed since these timers were made. */
    public synchronized Duration elapsed() {
        return Duration.ofNanos(nowNanos);
    }

    /** How many tasks wait for their time. */
    public synchronized int pending() {
        return planned.size();
    }

    /** What tasks threw so far: in production it is logged, in a test it should be looked at. */
    public synchronized List<RuntimeException> failures() {
        return List.copyOf(failures);
    }

    private synchronized void cancel(Planned plan) {
        planned.remove(plan);
    }

    private synchronized @Nullable Planned nextDue(long target) {
        Planned first = planned.peek();
        return first != null && first.at <= target ? planned.poll() : null;
    }

    private void moveTo(long target) {
        long step;
        synchronized (this) {
            // A task that slept may have moved time beyond what was due after it: that runs late, as in real life.
            step = Math.max(0, target - nowNanos);
            nowNanos += step;
        }
        if (step > 0) {
            clocks.accept(Duration.ofNanos(step));
        }
    }

    private void settle() {
        Runnable next = nextSent();
        while (next != null) {
            perform(next);
            next = nextSent();
        }
    }

    private synchronized @Nullable Runnable nextSent() {
        Sent callback = toCallbacks.peek();
        Sent store = storeBusy ? null : toStore.peek();
        if (store != null && (callback == null || store.order < callback.order)) {
            toStore.remove();
            storeBusy = true;
            return () -> {
                try {
                    store.task.run();
                } finally {
                    leaveStore();
                }
            };
        }
        if (callback == null) {
            return null;
        }
        toCallbacks.remove();
        return callback.task;
    }

    private synchronized void leaveStore() {
        storeBusy = false;
    }

    private void perform(Runnable task) {
        enter();
        try {
            task.run();
        } catch (RuntimeException e) {
            synchronized (this) {
                failures.add(e);
            }
        } finally {
            leave();
        }
    }

    private synchronized void enter() {
        running++;
    }

    private synchronized void leave() {
        running--;
    }
}
