package dev.leasehold.simulator;

import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.Timers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * One process: it can stand still and it can die, at every point where the engine leaves its own code (a clock, a timer, a
 * call). Everything the engine takes from outside comes from here.
 */
final class SimulatedProcess implements Timers {
    private static final Duration LONGEST_BLIND = Duration.ofSeconds(1);

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

    /** Nothing of it happens any more. What it sent is on its way all the same. */
    void kill() {
        dead = true;
    }

    void pauseFor(long nanos) {
        pausedUntil = Math.max(pausedUntil, world.time().now() + nanos);
    }

    /** A point at which the process may stand still or die. */
    void step() {
        requireAlive();
        world.faultInjector().before(this);
        goOnWhenAwake();
    }

    /** Starts a line of execution that lives and dies with the process. */
    void start(Runnable task) {
        requireAlive();
        requireThread();
        world.time().start(name, () -> {
            goOnWhenAwake();
            world.running(task);
        });
    }

    /** For whatever needs a thread that may not be there yet. */
    private void requireThread() {
        if (world.faultInjector().happens(SimulatedFault.NO_THREAD)) {
            long lasts = world.random().upTo(world.scenario().ttl().toNanos());
            world.log().note(this, "can start no thread for " + FaultInjector.millis(lasts));
            threadlessUntil = Math.max(threadlessUntil, world.time().now() + lasts);
        }
        if (threadlessUntil > world.time().now()) {
            throw new InjectedFailures.NoThread();
        }
    }

    /** Waits for so long in true time, and then until the process may go on. */
    void waitFor(long nanos) {
        Fiber self = world.time().running();
        world.time().after(nanos, () -> world.time().wake(self));
        waitForWake();
    }

    /** As work does that takes a while and notices, not at once, that it is to stop. */
    void workFor(Duration duration) throws InterruptedException {
        Duration left = duration;
        while (left.compareTo(Duration.ZERO) > 0) {
            Duration slice = left.compareTo(LONGEST_BLIND) < 0 ? left : LONGEST_BLIND;
            sleep(slice);
            if (Thread.interrupted()) {
                throw new InterruptedException("told to stop");
            }
            left = left.minus(slice);
        }
    }

    /** Waits, in true time, until woken; then until the process may go on. */
    void waitForWake() {
        requireAlive();
        world.time().waitForWake();
        goOnWhenAwake();
    }

    private void goOnWhenAwake() {
        requireAlive();
        while (standsStillUntil() > world.time().now()) {
            Fiber self = world.time().running();
            world.time().at(standsStillUntil(), () -> world.time().wake(self));
            world.time().waitForWake();
            requireAlive();
        }
    }

    /** Until when something kept it from doing what it should. */
    long hinderedUntil() {
        return Math.max(Math.max(threadlessUntil, host.clockSetAt()), standsStillUntil());
    }

    private long standsStillUntil() {
        return Math.max(pausedUntil, host.asleepUntil());
    }

    /** Where the engine leaves its own code: it may have caught what took it out of there the last time. */
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
            if (standsStillUntil() > world.time().now()) {
                world.time().at(standsStillUntil(), () -> fireAt(monotonic, task, cancelled));
            } else if (host.monotonic() < monotonic) {
                fireAt(monotonic, task, cancelled);
            } else {
                world.running(task);
            }
        });
    }

    @Override
    public void run(Lane lane, Runnable task) {
        requireAlive();
        if (closed) {
            return;
        }
        // Its threads leave when there was nothing to do for a while.
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
                goOnWhenAwake();
                world.running(task);
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
