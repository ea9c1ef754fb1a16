package dev.leasehold.simulator;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Time that passes only when everybody waits, and the one baton that keeps all but one thread still.
 *
 * <p>The engine blocks in its calls, so each line of its execution needs a stack of its own: a {@link Fiber}, on a real
 * thread. Exactly one of them runs. Whoever has to wait runs what is due, on its own stack, until its own turn comes; only
 * when another fiber's turn comes first does the baton change hands. So most waits cost no change of threads.
 */
final class VirtualTime {
    private static final int MAX_EVENTS = 200_000;

    /** What happens at one moment: something that does not wait, or a fiber that goes on. */
    private record Event(long at, long order, @Nullable Runnable action, @Nullable Fiber goesOn)
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

    /** Nanoseconds of true time since the beginning; hosts and stores have clocks of their own. */
    long now() {
        return now;
    }

    int happened() {
        return happened;
    }

    /** @param action must not wait */
    void at(long time, Runnable action) {
        requireNotOver();
        events.add(new Event(Math.max(now, time), order++, action, null));
    }

    void after(long nanos, Runnable action) {
        at(now + nanos, action);
    }

    Fiber running() {
        return running;
    }

    /** Starts a line of execution now; {@code body} may wait. */
    Fiber start(String name, Runnable body) {
        Fiber fiber = new Fiber(name);
        threads.lend(fiber, () -> live(fiber, body));
        wake(fiber);
        return fiber;
    }

    /** The fiber goes on at this moment, after what is due already. */
    void wake(Fiber fiber) {
        requireNotOver();
        events.add(new Event(now, order++, null, fiber));
    }

    /** Waits until somebody wakes the fiber that calls this. */
    void waitForWake() {
        requireNotOver();
        Fiber self = running;
        Fiber next = nextToRun();
        if (next != self) {
            handOver(self, next);
        }
    }

    /** Runs everything that fibers and events bring about until {@code end}. Called from outside, once. */
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

    /** Fibers that are taken out of their calls at the end run into this wherever they try to do something. */
    private void requireNotOver() {
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
            // Its process died; nothing of it happens any more.
        } catch (RuntimeException | Error e) {
            failure = failure == null ? e : failure;
        }
        if (fiber.isDropped()) {
            return;
        }
        Fiber next = nextToRun();
        running = next;
        next.giveTurn();
    }

    private void handOver(Fiber self, Fiber next) {
        running = next;
        next.giveTurn();
        self.awaitTurn();
        if (self.isDropped()) {
            throw new Crashed();
        }
        running = self;
    }

    /** Lets things happen until it is some fiber's turn. */
    private Fiber nextToRun() {
        while (failure == null && happened < MAX_EVENTS) {
            Event event = events.poll();
            if (event == null) {
                failure = new IllegalStateException("nothing is left to happen");
                break;
            }
            happened++;
            now = event.at;
            if (event.goesOn != null) {
                return event.goesOn;
            }
            perform(event);
        }
        if (failure == null) {
            failure = new IllegalStateException("more than " + MAX_EVENTS + " events: it never ends");
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
