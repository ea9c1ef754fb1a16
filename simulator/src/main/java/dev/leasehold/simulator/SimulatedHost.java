package dev.leasehold.simulator;

import dev.leasehold.spi.ClockReading;
import java.time.Instant;

/**
 * A machine with two clocks: a monotonic clock that stops while the machine sleeps, and a wall
 * clock that keeps running but can be set.
 */
final class SimulatedHost {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final VirtualTime time;
    private final double rate;
    private final boolean isLaptop;
    private long asleepUntil;
    private long slept;
    private long jumped;
    private long clockSetAt;
    private long wrongBy;

    SimulatedHost(VirtualTime time, double rate, boolean isLaptop) {
        this.isLaptop = isLaptop;
        this.time = time;
        this.rate = rate;
    }

    ClockReading read() {
        return new ClockReading(monotonic(), uptime() + jumped);
    }

    /** What people read. It may be wrong by any amount. */
    Instant wallClock() {
        return START.plusNanos(uptime() + jumped + wrongBy);
    }

    void setWrongBy(long nanos) {
        wrongBy = nanos;
    }

    long monotonic() {
        long stillAsleep = Math.max(0, asleepUntil - time.now());
        return Math.round((time.now() - (slept - stillAsleep)) * rate);
    }

    /** Keeps running while the host sleeps, and cannot be set. */
    long uptime() {
        return Math.round(time.now() * rate);
    }

    /**
     * True time until the monotonic clock has advanced that far, if the host does not sleep in
     * between.
     */
    long trueNanos(long monotonicNanos) {
        return (long) Math.ceil(monotonicNanos / rate);
    }

    /**
     * Only for machines that do not sleep. A machine that sleeps and whose wall clock is set would
     * have no reliable clock; a laptop's kernel counts the sleep.
     */
    void jump(long nanos) {
        if (!isLaptop) {
            jumped += nanos;
            clockSetAt = time.now();
        }
    }

    /**
     * When the clock was last set: a clock that is set back makes an expired lease trusted again.
     */
    long clockSetAt() {
        return clockSetAt;
    }

    void sleepFor(long nanos) {
        if (isLaptop && !isAsleep()) {
            asleepUntil = time.now() + nanos;
            slept += nanos;
        }
    }

    boolean isLaptop() {
        return isLaptop;
    }

    boolean isAsleep() {
        return time.now() < asleepUntil;
    }

    long asleepUntil() {
        return asleepUntil;
    }
}
