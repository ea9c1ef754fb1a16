package dev.leasehold.testkit.sim;

import dev.leasehold.store.CasLeaseStore;
import dev.leasehold.work.WorkLedger;

/** Everything there is in one history. */
final class World {
    private static final double RATE_SPREAD = 0.03;

    private final Scenario scenario;
    private final VirtualTime time;
    private final Chance chance;
    private final SeededIds ids;
    private final Journal journal;
    private final Mishaps mishaps = new Mishaps(this);
    private final Wire wire = new Wire(this);
    private final StoreServer store;
    private final TargetServer target = new TargetServer(this);
    private final Invariants invariants;
    private final Completions completions;
    private int refusals;

    World(Scenario scenario, FiberThreads threads, boolean detailed) {
        this.scenario = scenario;
        this.time = new VirtualTime(threads);
        this.chance = new Chance(scenario.seed());
        this.ids = new SeededIds(chance);
        this.journal = new Journal(time, detailed);
        this.store = new StoreServer(time, rate());
        this.invariants = new Invariants(this);
        this.completions = new Completions(this, WorkLedger.over(invariants.truth(), invariants.nobody()));
        store.afterEachWrite(key -> {
            invariants.storeChanged(key);
            completions.storeChanged(key);
        });
    }

    private double rate() {
        return scenario.faults().contains(Fault.CLOCK_RATE) ? chance.factor(RATE_SPREAD) : 1;
    }

    Host newHost() {
        return new Host(time, rate(), chance.oneIn(2));
    }

    /** The store as a process sees it. Opening it may fail like any other call. */
    CasLeaseStore openStore(SimulatedProcess process) {
        return CasLeaseStore.over(new RegisterClient(this, process), process, ids);
    }

    /** Runs a task of the engine that is not waited for; one that throws is logged in production, and a find here. */
    void running(Runnable task) {
        task.run();
    }

    boolean isCalm() {
        return time.now() >= scenario.calm();
    }

    void refused() {
        refusals++;
    }

    int refusals() {
        return refusals;
    }

    Scenario scenario() {
        return scenario;
    }

    VirtualTime time() {
        return time;
    }

    Chance chance() {
        return chance;
    }

    SeededIds ids() {
        return ids;
    }

    Journal journal() {
        return journal;
    }

    Mishaps mishaps() {
        return mishaps;
    }

    Wire wire() {
        return wire;
    }

    StoreServer store() {
        return store;
    }

    TargetServer target() {
        return target;
    }

    Completions completions() {
        return completions;
    }

    Invariants invariants() {
        return invariants;
    }
}
