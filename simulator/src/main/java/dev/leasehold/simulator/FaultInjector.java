package dev.leasehold.simulator;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides which faults happen, and counts them. There are none after {@link Scenario#calm}. */
final class FaultInjector {
    private final SimulatedWorld world;
    private final Map<SimulatedFault, Integer> counted = new EnumMap<>(SimulatedFault.class);

    FaultInjector(SimulatedWorld world) {
        this.world = world;
    }

    boolean happens(SimulatedFault fault) {
        boolean happens =
                mayHappen(fault) && world.random().oneIn(world.scenario().rarity());
        if (happens) {
            count(fault);
        }
        return happens;
    }

    private boolean mayHappen(SimulatedFault fault) {
        return world.scenario().faults().contains(fault)
                && world.time().now() < world.scenario().calm();
    }

    void count(SimulatedFault fault) {
        counted.merge(fault, 1, Integer::sum);
    }

    Map<SimulatedFault, Integer> counted() {
        return counted;
    }

    /** Called at every point where a process leaves its own code. */
    void before(SimulatedProcess process) {
        long ttl = world.scenario().ttl().toNanos();
        if (happens(SimulatedFault.PAUSE)) {
            long pause = world.random().upTo(2 * ttl);
            world.log().note(process, "pauses for " + millis(pause));
            process.pauseFor(pause);
        }
        if (process.host().isLaptop() && happens(SimulatedFault.SLEEP)) {
            long sleep = world.random().upTo(3 * ttl);
            world.log().note(process, "its host sleeps for " + millis(sleep));
            process.host().sleepFor(sleep);
        }
        if (!process.host().isLaptop() && happens(SimulatedFault.CLOCK_JUMP)) {
            long jump = world.random().between(-3 * ttl, 3 * ttl);
            world.log().note(process, "its host's wall clock jumps by " + millis(jump));
            process.host().jump(jump);
        }
        if (happens(SimulatedFault.CRASH)) {
            world.log().note(process, "crashes");
            process.kill();
        }
    }

    /**
     * Called at the end of a listener method. Half of the failures are errors, which callers rarely
     * expect.
     */
    void inListener() {
        if (happens(SimulatedFault.LISTENER_THROWS)) {
            if (world.random().oneIn(2)) {
                throw new InjectedFailures.Fatal();
            }
            throw new InjectedFailures.Failure();
        }
    }

    /** Plans the faults that do not depend on a process, a few in each simulation. */
    void plan() {
        SeededRandom random = world.random();
        long calm = world.scenario().calm();
        for (SimulatedFault fault : world.scenario().faults()) {
            Runnable accident = accident(fault);
            for (long n = random.between(1, 3); accident != null && n > 0; n--) {
                world.time().at(random.between(0, calm), () -> {
                    count(fault);
                    accident.run();
                });
            }
        }
        world.time().at(random.between(0, calm), () -> world.store().takeBackup());
    }

    private @Nullable Runnable accident(SimulatedFault fault) {
        long ttl = world.scenario().ttl().toNanos();
        return switch (fault) {
            case STORE_RESTART -> () -> makeStoreUnavailable(world.random().upTo(2 * ttl));
            case LEASES_AWAY ->
                () -> {
                    long nanos = world.random().between(ttl / 2, 2 * ttl);
                    world.log().note("store", "does not answer about leases for " + millis(nanos));
                    world.store().stopAnsweringLeasesFor(nanos);
                };
            case STORE_CLOCK_BACK ->
                () -> {
                    long back = world.random().upTo(20 * ttl);
                    world.log().note("store", "its clock is set back by " + millis(back));
                    world.store().moveClock(-back);
                };
            case STORE_FAILOVER ->
                () -> {
                    long lost = world.random().between(1, 6);
                    world.log().note("store", "fails over and loses its last " + lost + " writes");
                    makeStoreUnavailable(world.random().upTo(ttl / 2));
                    world.store().loseWrites(lost);
                    world.invariants().storeLostData();
                };
            case STORE_RESTORE ->
                () -> {
                    if (world.store().restoreBackup()) {
                        world.log().note("store", "is restored from a backup");
                        world.invariants().storeLostData();
                    }
                };
            case POWER_CUT -> world::losePower;
            case ORDERLY_STOP -> world::stopAMachine;
            case TAKEOVER, CANCEL, FORGET -> () -> new Operator(world).intervene(fault);
            default -> null;
        };
    }

    private void makeStoreUnavailable(long nanos) {
        world.log().note("store", "is unavailable for " + millis(nanos));
        world.store().becomeUnavailableFor(nanos);
    }

    static String millis(long nanos) {
        return nanos / 1_000_000 + " ms";
    }
}
