package dev.leasehold.simulator;

import dev.leasehold.store.CasLeaseStore;
import dev.leasehold.work.WorkLedger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything in one simulation. */
public final class SimulatedWorld {
    private static final double RATE_SPREAD = 0.03;

    /** A holder and an observer may differ by a tenth: one is slow, and the other is fast. */
    static final double OBSERVED_RATE_SPREAD = 0.05;

    private final Scenario scenario;
    private final VirtualTime time;
    private final SeededRandom random;
    private final SeededIds ids;
    private final EventLog log;
    private final FaultInjector faultInjector = new FaultInjector(this);
    private final SimulatedNetwork network = new SimulatedNetwork(this);
    private final StoreServer store;
    private final TargetState guarded;
    private final Invariants invariants;
    private final CompletionChecks completionChecks;
    private @Nullable SimulatedHost shared;
    private final LossNoticeChecks lossNotices = new LossNoticeChecks(this);
    private final @Nullable ObservationDisks observationDisks;
    private final List<JobMachine> machines = new ArrayList<>();
    private int refusals;

    public SimulatedWorld(Scenario scenario, FiberThreads threads, boolean detailed) {
        this.scenario = scenario;
        this.time = new VirtualTime(threads);
        this.random = new SeededRandom(scenario.seed());
        this.ids = new SeededIds(random);
        this.log = new EventLog(time, detailed);
        this.store = new StoreServer(time, rate(), scenario.storeTick());
        this.observationDisks = isClockless() ? new ObservationDisks(this) : null;
        this.invariants = new Invariants(this);
        this.guarded = scenario.kind() == ScenarioKind.FILE ? new GuardedFile(this) : new DocumentServer(this);
        this.completionChecks = new CompletionChecks(this, WorkLedger.over(invariants.truth(), invariants.observer()));
        store.afterEachWrite(invariants::storeChanged);
        store.afterEachWrite(completionChecks::storeChanged);
    }

    private double rate() {
        if (!scenario.faults().contains(SimulatedFault.CLOCK_RATE)) {
            return 1;
        }
        faultInjector.count(SimulatedFault.CLOCK_RATE);
        return random.factor(isClockless() ? OBSERVED_RATE_SPREAD : RATE_SPREAD);
    }

    private boolean isClockless() {
        return scenario.kind() == ScenarioKind.CLOCKLESS;
    }

    SimulatedHost newHost() {
        SimulatedHost host = new SimulatedHost(time, rate(), random.oneIn(2));
        if (isClockless()) {
            long wrong = 10 * scenario.ttl().toNanos();
            host.setWrongBy(random.between(-wrong, wrong));
        }
        return host;
    }

    /** Workers that share a file run on one machine, the others each on their own. */
    SimulatedHost workersHost() {
        if (scenario.kind() != ScenarioKind.FILE) {
            return newHost();
        }
        if (shared == null) {
            shared = newHost();
        }
        return shared;
    }

    /** The store as a process sees it. Opening it may fail like any other call. */
    CasLeaseStore openStore(SimulatedProcess process) {
        return observationDisks == null
                ? CasLeaseStore.over(new RegisterClient(this, process), process, ids)
                : CasLeaseStore.over(
                        new ClocklessClient(this, process), observationDisks.seenBy(process), process, ids);
    }

    /**
     * Runs a background task of the engine. In production its exceptions are lost; here every
     * exception that was not injected fails the simulation.
     */
    void runTask(Runnable task) {
        try {
            task.run();
        } catch (InjectedFailures.NoThread | InjectedFailures.Failure | InjectedFailures.Fatal e) {
            log.note("engine", "survives " + e);
        }
    }

    /** Only data on a disk can be lost by a power cut. */
    void losePower() {
        if (guarded instanceof GuardedFile file) {
            file.losePower();
        }
    }

    /** The machines that run the job, if there is one. */
    List<JobMachine> machines() {
        return machines;
    }

    void stopAMachine() {
        machines.get((int) random.between(0, machines.size() - 1)).stop();
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

    SeededRandom random() {
        return random;
    }

    SeededIds ids() {
        return ids;
    }

    EventLog log() {
        return log;
    }

    FaultInjector faultInjector() {
        return faultInjector;
    }

    SimulatedNetwork network() {
        return network;
    }

    StoreServer store() {
        return store;
    }

    TargetState guarded() {
        return guarded;
    }

    CompletionChecks completionChecks() {
        return completionChecks;
    }

    LossNoticeChecks lossNotices() {
        return lossNotices;
    }

    Invariants invariants() {
        return invariants;
    }
}
