package dev.leasehold.simulator;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Time that advances only when every fiber waits, and the baton that lets only one thread run.
 *
 * <p>The engine blocks in its calls, so each of its threads of execution needs its own stack: a
 * {@link Fiber} on a real thread. Exactly one of them runs. A fiber that has to wait runs due
 * events on its own stack until its own turn comes; the baton changes hands only when another
 * fiber's turn comes first. So most waits cost no thread switch.
 */
final class VirtualTime {
    private static final int MAX_EVENTS = 200_000;

    /** An event: an action that does not wait, or a fiber that continues. */
    private record Event(long at, long order, @Nullable Runnable action, @Nullable Fiber resumed)
            implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Fiber outside = Fiber.ofThisThread("outside");
    private final FiberThreads threads;
    private Fiber running = outside;
    private long now;
    private long order;
    private int happened;
    private volatile boolean over;
    private @Nullable Throwable failure;

    VirtualTime(FiberThreads threads) {
        this.threads = threads;
    }

    /** Nanoseconds of true time since the start; hosts and stores have their own clocks. */
    long now() {
        return now;
    }

    int happened() {
        return happened;
    }

    /** @param action must not wait */
    void at(long time, Runnable action) {
        requireRunning();
        events.add(new Event(Math.max(now, time), order++, action, null));
    }

    void after(long nanos, Runnable action) {
        at(now + nanos, action);
    }

    Fiber running() {
        return running;
    }

    /** Starts a fiber now; {@code body} may wait. */
    Fiber start(String name, Runnable body) {
        Fiber fiber = new Fiber(name);
        threads.assign(fiber, () -> live(fiber, body));
        wake(fiber);
        return fiber;
    }

    /** The fiber continues at this moment, after events that are already due. */
    void wake(Fiber fiber) {
        requireRunning();
        events.add(new Event(now, order++, null, fiber));
    }

    /** Waits until the calling fiber is woken. */
    void waitForWake() {
        requireRunning();
        Fiber self = running;
        Fiber next = nextToRun();
        if (next != self) {
            handOver(self, next);
        }
    }

    /** Runs all fibers and events until {@code end}. Called once, from outside. */
    void runUntil(long end) {
        at(end, () -> wake(outside));
        waitForWake();
        over = true;
        threads.release();
        if (failure != null) {
            throw new IllegalStateException("the simulation itself failed", failure);
        }
    }

    boolean isOver() {
        return over;
    }

    /** Fibers that are unwound at the end fail here if they try to do something. */
    private void requireRunning() {
        if (over) {
            throw new Crashed();
        }
    }

    private void live(Fiber fiber, Runnable body) {
        fiber.awaitTurn();
        if (fiber.isDropped()) {
            return;
        }
        running = fiber;
        try {
            body.run();
        } catch (Crashed e) {
            // The fiber's process died.
        } catch (RuntimeException | Error e) {
            failure = failure == null ? e : failure;
        }
        if (fiber.isDropped()) {
            return;
        }
        Fiber next = nextToRun();
        running = next;
        next.passBaton();
    }

    private void handOver(Fiber self, Fiber next) {
        running = next;
        next.passBaton();
        self.awaitTurn();
        if (self.isDropped()) {
            throw new Crashed();
        }
        running = self;
    }

    /** Runs events until a fiber's turn comes. */
    private Fiber nextToRun() {
        while (failure == null && happened < MAX_EVENTS) {
            Event event = events.poll();
            if (event == null) {
                failure = new IllegalStateException("no event is left");
                break;
            }
            happened++;
            now = event.at;
            if (event.resumed != null) {
                return event.resumed;
            }
            perform(event);
        }
        if (failure == null) {
            failure = new IllegalStateException("more than " + MAX_EVENTS + " events: the simulation does not end");
        }
        return outside;
    }

    private void perform(Event event) {
        try {
            if (event.action != null) {
                event.action.run();
            }
        } catch (RuntimeException | Error e) {
            failure = failure == null ? e : failure;
        }
    }
}
