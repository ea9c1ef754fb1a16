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
 * Timers in virtual time, without threads. A task runs on the thread that moves time, in the order
 * in which tasks become due. While it runs, the time is exactly the one for which it was planned.
 *
 * <p>A task for a lane runs as soon as the task that sent it has ended, or immediately if none is
 * running. As in production, the store's lane runs one task at a time: while one of its tasks
 * sleeps, others wait, but timers and callbacks go on.
 *
 * <p>A task that throws does not stop the others; see {@link #failures()}. Any thread may add
 * tasks; only one should move time.
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

    /**
     * @param clocks called with every step of time before the tasks of that moment run, so that
     *     clocks move along
     */
    public ManualTimers(Consumer<Duration> clocks) {
        this.clocks = clocks;
    }

    /** Lets time pass and runs the tasks that become due, each at its own time. */
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

    /**
     * Lets time pass while this process is frozen: no task runs. Tasks that became due run late, at
     * the next advance.
     */
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

    /** Lets virtual time pass, and runs the tasks that become due. */
    @Override
    public void sleep(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        advance(duration.isNegative() ? Duration.ZERO : duration);
    }

    /** Drops all planned tasks; time can still be moved. */
    @Override
    public synchronized void close() {
        closed = true;
        planned.clear();
        toStore.clear();
        toCallbacks.clear();
    }

    /** The time that has passed since these timers were created. */
    public synchronized Duration elapsed() {
        return Duration.ofNanos(nowNanos);
    }

    /** The number of tasks that are not due yet. */
    public synchronized int pending() {
        return planned.size();
    }

    /**
     * The exceptions that tasks threw so far. In production they are logged; a test should check
     * them.
     */
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
            // A task that slept may have moved time beyond the next task, which then runs late.
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
