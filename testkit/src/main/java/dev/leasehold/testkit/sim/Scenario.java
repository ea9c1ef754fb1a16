package dev.leasehold.testkit.sim;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * What one history is made of.
 *
 * @param faults which kinds may happen; leaving some out makes the others meet in ways they otherwise hardly would
 * @param rarity one in so many opportunities goes wrong
 * @param patience how long a process waits for an answer
 * @param calm when faults stop, in nanoseconds
 */
record Scenario(
        long seed,
        int workers,
        Set<Fault> faults,
        int rarity,
        Duration ttl,
        Duration minHold,
        long patience,
        long calm) {
    private static final int MAX_WORKERS = 3;

    static Scenario of(long seed) {
        Chance chance = new Chance(~seed);
        Set<Fault> faults = EnumSet.noneOf(Fault.class);
        for (Fault fault : Fault.values()) {
            if (chance.oneIn(fault.breaksTheStore() ? 8 : 2)) {
                faults.add(fault);
            }
        }
        long ttl = chance.between(1_000, 6_000);
        return new Scenario(
                seed,
                (int) chance.between(2, MAX_WORKERS),
                faults,
                (int) chance.between(8, 60),
                Duration.ofMillis(ttl),
                chance.oneIn(4) ? Duration.ofMillis(ttl / 2) : Duration.ZERO,
                Duration.ofMillis(ttl / chance.between(4, 12)).toNanos(),
                Duration.ofMillis(ttl * chance.between(2, 4)).toNanos());
    }

    Scenario without(Fault fault) {
        Set<Fault> fewer = EnumSet.copyOf(faults);
        fewer.remove(fault);
        return new Scenario(seed, workers, fewer, rarity, ttl, minHold, patience, calm);
    }

    Scenario withWorkers(int fewer) {
        return new Scenario(seed, fewer, faults, rarity, ttl, minHold, patience, calm);
    }

    Scenario calmAt(long earlier) {
        return new Scenario(seed, workers, faults, rarity, ttl, minHold, patience, earlier);
    }

    /** When everything that began before the calm has ended, or is lost for good. */
    long settled() {
        return calm + 8 * ttl.toNanos();
    }

    long end() {
        return settled() + 6 * ttl.toNanos();
    }
}
