package dev.leasehold.simulator;

import dev.leasehold.spi.ClockReading;

/** A machine with two clocks: one that stands still while it sleeps, and one that goes on but can be set. */
final class SimulatedHost {
    private final VirtualTime time;
    private final double rate;
    private final boolean isLaptop;
    private long asleepUntil;
    private long slept;
    private long jumped;
    private long clockSetAt;

    SimulatedHost(VirtualTime time, double rate, boolean isLaptop) {
        this.isLaptop = isLaptop;
        this.time = time;
        this.rate = rate;
    }

    ClockReading read() {
        return new ClockReading(monotonic(), uptime() + jumped);
    }

    long monotonic() {
        long stillAsleep = Math.max(0, asleepUntil - time.now());
        return Math.round((time.now() - (slept - stillAsleep)) * rate);
    }

    /** Goes on while the host sleeps, and cannot be set. */
    long uptime() {
        return Math.round(time.now() * rate);
    }

    /** True time until the monotonic clock has moved so far, if the host does not sleep in between. */
    long trueNanos(long monotonicNanos) {
        return (long) Math.ceil(monotonicNanos / rate);
    }

    /** A machine whose one clock is set while the other stands still has none left; a laptop's is counted by its kernel. */
    void jump(long nanos) {
        if (!isLaptop) {
            jumped += nanos;
            clockSetAt = time.now();
        }
    }

    /** A clock that is set back makes a lease trusted again that was not. */
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
