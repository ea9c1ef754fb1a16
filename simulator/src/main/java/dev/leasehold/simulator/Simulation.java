package dev.leasehold.simulator;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs simulations, one after the other, on one set of threads. Not safe for use by several
 * threads.
 */
public final class Simulation implements AutoCloseable {
    private final FiberThreads threads = new FiberThreads();

    public Simulation() {
        InjectedFailures.filterLogs();
    }

    public SimulationResult run(long seed) {
        return run(Scenario.of(seed), false);
    }

    /** @param detailed whether the result contains the event log even if there is no violation */
    SimulationResult run(Scenario scenario, boolean detailed) {
        SimulatedWorld world = new SimulatedWorld(scenario, threads, detailed);
        world.faultInjector().plan();
        if (scenario.kind() == ScenarioKind.SLOTS) {
            runSlots(world);
        } else if (scenario.kind() == ScenarioKind.CROWD) {
            runCrowds(world);
        } else {
            runWriters(world);
        }
        @Nullable Violation violation = world.invariants().violation();
        return new SimulationResult(
                scenario.seed(),
                violation,
                detailed || violation != null ? world.log().table() : "",
                world.time().happened(),
                world.refusals(),
                world.faultInjector().counted());
    }

    private static void runWriters(SimulatedWorld world) {
        Scenario scenario = world.scenario();
        for (int n = 0; n < scenario.workers(); n++) {
            new SimulatedWorker(world, "worker-" + (char) ('a' + n)).start();
        }
        RecoveryProbe probe = new RecoveryProbe(world);
        world.time().at(scenario.settled(), probe::start);
        world.time().runUntil(scenario.end());
        world.invariants().checkAcknowledged(world.guarded().document());
        if (!probe.isDone()) {
            world.invariants().violated(Invariant.LIVENESS, "the recovery probe never ended");
        }
    }

    private static void runCrowds(SimulatedWorld world) {
        List<Crowd> crowds = new ArrayList<>();
        for (int n = 0; n < world.scenario().workers(); n++) {
            Crowd crowd = new Crowd(world, "crowd-" + (char) ('a' + n));
            crowds.add(crowd);
            crowd.start();
        }
        world.time().runUntil(world.scenario().settled());
        crowds.forEach(Crowd::checkEnd);
    }

    private static void runSlots(SimulatedWorld world) {
        Scenario scenario = world.scenario();
        SlotChecks slots = new SlotChecks(world, SlotPlan.draw(world.random(), scenario.ttl(), scenario.parallel()));
        world.store().afterEachWrite(slots::storeChanged);
        for (int n = 0; n < scenario.workers(); n++) {
            JobMachine machine = new JobMachine(world, slots, "machine-" + (char) ('a' + n));
            world.machines().add(machine);
            machine.start();
        }
        ScheduleChecks scheduleChecks = new ScheduleChecks(world, slots);
        world.time().at(scenario.schedulePhase(), scheduleChecks::begin);
        world.time().runUntil(scenario.scheduleEnd());
        slots.checkEnd(scenario.ttl().multipliedBy(5));
    }

    @Override
    public void close() {
        threads.close();
    }
}
