package dev.leasehold.simulator;

import dev.leasehold.Lease;

/**
 * A program that runs under a lease beside the process that holds it, such as a wrapped command. It
 * does not pause or die with that process. It is killed at the last deadline it received, by a
 * clock that keeps running while the machine sleeps.
 */
final class SimulatedChild {
    private final Lease lease;
    private final SimulatedHost host;
    private long deadline;
    private boolean ended;

    SimulatedChild(Lease lease, SimulatedHost host) {
        this.lease = lease;
        this.host = host;
        extend();
    }

    /**
     * In the order of the real code: the clock first, so that a pause in between makes the deadline
     * earlier.
     */
    void extend() {
        long now = host.uptime();
        deadline = now + lease.remaining().toNanos();
    }

    void end() {
        ended = true;
    }

    boolean isAlive() {
        return !ended && host.uptime() < deadline;
    }

    boolean isUnder(Lease other) {
        return lease == other;
    }

    long token() {
        return lease.grant().token().value();
    }
}
