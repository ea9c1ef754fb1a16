package dev.leasehold.simulator;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * The parameters of one simulation.
 *
 * @param faults which kinds may happen; leaving some out makes rare combinations of the others more
 *     likely
 * @param rarity one in this many opportunities becomes a fault
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

    /**
     * A file takes many system calls where a server takes one. This keeps the number of faults per
     * write the same.
     */
    private static final int CALLS_OF_A_FILE = 6;

    static Scenario of(long seed) {
        SeededRandom random = new SeededRandom(~seed);
        Set<SimulatedFault> faults = EnumSet.noneOf(SimulatedFault.class);
        for (SimulatedFault fault : SimulatedFault.values()) {
            if (!fault.isDrawnLast() && random.oneIn(fault.losesStoreData() ? 8 : 2)) {
                faults.add(fault);
            }
        }
        ScenarioKind drawn = kind(random);
        // Not drawn, so that all other seeds keep their scenarios.
        ScenarioKind kind = replaced(seed, drawn);
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

    private static ScenarioKind replaced(long seed, ScenarioKind drawn) {
        if (seed % 64 == 8) {
            return ScenarioKind.CROWD;
        }
        return seed % 16 == 7 ? ScenarioKind.CLOCKLESS : drawn;
    }

    private static ScenarioKind kind(SeededRandom random) {
        return switch ((int) random.between(0, 7)) {
            case 0, 1 -> ScenarioKind.FILE;
            case 2 -> ScenarioKind.SLOTS;
            default -> ScenarioKind.DOCUMENT;
        };
    }

    /** Some stores have a coarse clock. It must not be coarser than the safety margin. */
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

    /** When everything that began before the calm has ended or is lost. */
    long settled() {
        return calm + 8 * ttl.toNanos();
    }

    long end() {
        return settled() + 6 * ttl.toNanos();
    }

    /** Until when the callers of a crowd ask: long enough to see them without faults. */
    long crowdEnd() {
        return calm + 5 * ttl.toNanos();
    }

    /**
     * When the machines of a job have recovered from all faults, and the remaining machine must
     * keep to the schedule alone.
     */
    long schedulePhase() {
        return calm + 5 * ttl.toNanos() + 2_000_000_000L;
    }

    long scheduleEnd() {
        return schedulePhase() + 5 * ttl.toNanos();
    }
}
