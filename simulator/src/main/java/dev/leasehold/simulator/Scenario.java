package dev.leasehold.simulator;

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
        ScenarioKind kind,
        int workers,
        Set<SimulatedFault> faults,
        int rarity,
        Duration ttl,
        Duration minHold,
        long patience,
        long calm) {
    private static final int MAX_WORKERS = 3;

    /** A file takes many system calls where a server takes one; something goes wrong as often for each write. */
    private static final int CALLS_OF_A_FILE = 6;

    static Scenario of(long seed) {
        SeededRandom random = new SeededRandom(~seed);
        Set<SimulatedFault> faults = EnumSet.noneOf(SimulatedFault.class);
        for (SimulatedFault fault : SimulatedFault.values()) {
            if (!fault.isDrawnLast() && random.oneIn(fault.breaksTheStore() ? 8 : 2)) {
                faults.add(fault);
            }
        }
        ScenarioKind kind = kind(random);
        long ttl = random.between(1_000, 4_000);
        int workers = (int) random.between(2, MAX_WORKERS);
        int rarity = (int) random.between(8, 60) * (kind == ScenarioKind.FILE ? CALLS_OF_A_FILE : 1);
        Duration minHold = random.oneIn(4) ? Duration.ofMillis(ttl / 2) : Duration.ZERO;
        Duration patience = Duration.ofMillis(ttl / random.between(4, 12));
        Duration calm = Duration.ofMillis(ttl * random.between(2, 4));
        for (SimulatedFault fault : SimulatedFault.values()) {
            if (fault.isDrawnLast() && random.oneIn(4)) {
                faults.add(fault);
            }
        }
        faults.removeIf(fault -> !fault.concerns(kind));
        Duration term = Duration.ofMillis(ttl);
        return new Scenario(seed, kind, workers, faults, rarity, term, minHold, patience.toNanos(), calm.toNanos());
    }

    private static ScenarioKind kind(SeededRandom random) {
        return switch ((int) random.between(0, 7)) {
            case 0, 1 -> ScenarioKind.FILE;
            case 2 -> ScenarioKind.SLOTS;
            default -> ScenarioKind.DOCUMENT;
        };
    }

    /** Some stores have a coarse clock. One coarser than the margin allows would not do. */
    long storeTick() {
        return seed % 4 == 0 ? ttl.toNanos() / 40_000 * 1_000 : 1_000;
    }

    /** How many slots one machine runs at once. */
    int parallel() {
        return seed % 2 == 0 ? 1 : 2;
    }

    Scenario without(SimulatedFault fault) {
        Set<SimulatedFault> fewer = EnumSet.copyOf(faults);
        fewer.remove(fault);
        return new Scenario(seed, kind, workers, fewer, rarity, ttl, minHold, patience, calm);
    }

    Scenario withWorkers(int fewer) {
        return new Scenario(seed, kind, fewer, faults, rarity, ttl, minHold, patience, calm);
    }

    Scenario calmAt(long earlier) {
        return new Scenario(seed, kind, workers, faults, rarity, ttl, minHold, patience, earlier);
    }

    /** When everything that began before the calm has ended, or is lost for good. */
    long settled() {
        return calm + 8 * ttl.toNanos();
    }

    long end() {
        return settled() + 6 * ttl.toNanos();
    }

    /** When machines that run a job have got over all the faults: whoever is left has to keep to the schedule by itself. */
    long punctual() {
        return calm + 5 * ttl.toNanos() + 2_000_000_000L;
    }

    long punctualEnd() {
        return punctual() + 5 * ttl.toNanos();
    }
}
