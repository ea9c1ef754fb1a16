package dev.leasehold.simulator;

import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.Timers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * One process. It can pause or die at every point where the engine leaves its own code (a clock, a
 * timer, a call). The engine gets everything external from here.
 */
final class SimulatedProcess implements Timers {
    private static final Duration INTERRUPT_DELAY = Duration.ofSeconds(1);

    private final String name;
    private final SimulatedWorld world;
    private final SimulatedHost host;
    private final EngineContext context;
    private final Deque<Runnable> toStore = new ArrayDeque<>();
    private @Nullable Fiber storeLane;
    private boolean storeLaneIdle;
    private long pausedUntil;
    private long threadlessUntil;
    private boolean timerStarted;
    private boolean dead;
    private boolean closed;

    SimulatedProcess(String name, SimulatedWorld world, SimulatedHost host) {
        this.name = name;
        this.world = world;
        this.host = host;
        this.context = new EngineContext(host::read, this, world.ids());
    }

    EngineContext context() {
        return context;
    }

    SimulatedHost host() {
        return host;
    }

    boolean isDead() {
        return dead;
    }

    /** Stops everything in the process. Requests that it has sent are still delivered. */
    void kill() {
        dead = true;
    }

    void pauseFor(long nanos) {
        pausedUntil = Math.max(pausedUntil, world.time().now() + nanos);
    }

    /** A point at which the process may pause or die. */
    void step() {
        requireAlive();
        world.faultInjector().before(this);
        continueWhenAwake();
    }

    /** Starts a fiber that lives and dies with the process. */
    void start(Runnable task) {
        requireAlive();
        requireThread();
        world.time().start(name, () -> {
            continueWhenAwake();
            world.runTask(task);
        });
    }

    /** Called before anything that may need a new thread. */
    private void requireThread() {
        if (world.faultInjector().happens(SimulatedFault.NO_THREAD)) {
            long lasts = world.random().upTo(world.scenario().ttl().toNanos());
            world.log().note(this, "cannot start a thread for " + FaultInjector.millis(lasts));
            threadlessUntil = Math.max(threadlessUntil, world.time().now() + lasts);
        }
        if (threadlessUntil > world.time().now()) {
            throw new InjectedFailures.NoThread();
        }
    }

    /** Waits for this long in true time, and then until the process is no longer paused. */
    void waitFor(long nanos) {
        Fiber self = world.time().running();
        world.time().after(nanos, () -> world.time().wake(self));
        waitForWake();
    }

    /** Simulates work that takes a while and notices an interrupt with a delay. */
    void workFor(Duration duration) throws InterruptedException {
        Duration left = duration;
        while (left.compareTo(Duration.ZERO) > 0) {
            Duration slice = left.compareTo(INTERRUPT_DELAY) < 0 ? left : INTERRUPT_DELAY;
            sleep(slice);
            if (Thread.interrupted()) {
                throw new InterruptedException("asked to stop");
            }
            left = left.minus(slice);
        }
    }

    /** Waits in true time until woken, and then until the process is no longer paused. */
    void waitForWake() {
        requireAlive();
        world.time().waitForWake();
        continueWhenAwake();
    }

    private void continueWhenAwake() {
        requireAlive();
        while (pausedUntil() > world.time().now()) {
            Fiber self = world.time().running();
            world.time().at(pausedUntil(), () -> world.time().wake(self));
            world.time().waitForWake();
            requireAlive();
        }
    }

    /** Until when a fault prevented the process from acting. */
    long faultyUntil() {
        return Math.max(Math.max(threadlessUntil, host.clockSetAt()), pausedUntil());
    }

    private long pausedUntil() {
        return Math.max(pausedUntil, host.asleepUntil());
    }

    /**
     * Called where the engine leaves its own code, because it may have caught the error that ended
     * its process before.
     */
    void requireAlive() {
        if (dead || world.time().isOver()) {
            throw new Crashed();
        }
    }

    @Override
    public Runnable after(Duration delay, Runnable task) {
        requireAlive();
        if (!timerStarted) {
            requireThread();
            timerStarted = true;
        }
        return plan(delay, task);
    }

    private Runnable plan(Duration delay, Runnable task) {
        boolean[] cancelled = {closed};
        fireAt(host.monotonic() + delay.toNanos(), task, cancelled);
        return () -> cancelled[0] = true;
    }

    private void fireAt(long monotonic, Runnable task, boolean[] cancelled) {
        long wait = Math.max(0, host.trueNanos(monotonic - host.monotonic()));
        world.time().after(wait, () -> {
            if (dead || closed || cancelled[0]) {
                return;
            }
            if (pausedUntil() > world.time().now()) {
                world.time().at(pausedUntil(), () -> fireAt(monotonic, task, cancelled));
            } else if (host.monotonic() < monotonic) {
                fireAt(monotonic, task, cancelled);
            } else {
                world.runTask(task);
            }
        });
    }

    @Override
    public void run(Lane lane, Runnable task) {
        requireAlive();
        if (closed) {
            return;
        }
        // The engine's threads end after being idle for a while, so this call may need a new one.
        requireThread();
        if (lane == Lane.CALLBACK) {
            plan(Duration.ZERO, task);
            return;
        }
        toStore.add(task);
        if (storeLane == null) {
            storeLane = world.time().start(name + " store", this::serveStoreLane);
        } else if (storeLaneIdle) {
            storeLaneIdle = false;
            world.time().wake(storeLane);
        }
    }

    private void serveStoreLane() {
        while (!closed) {
            Runnable task = toStore.poll();
            if (task == null) {
                storeLaneIdle = true;
                waitForWake();
            } else {
                continueWhenAwake();
                world.runTask(task);
            }
        }
    }

    @Override
    public void sleep(Duration duration) {
        step();
        long until = host.monotonic() + Math.max(0, duration.toNanos());
        do {
            Fiber self = world.time().running();
            world.time().after(host.trueNanos(until - host.monotonic()), () -> world.time()
                    .wake(self));
            waitForWake();
        } while (host.monotonic() < until);
    }

    @Override
    public void close() {
        closed = true;
        if (storeLaneIdle && storeLane != null) {
            storeLaneIdle = false;
            world.time().wake(storeLane);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
