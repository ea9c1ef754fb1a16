package dev.leasehold.simulator;

import dev.leasehold.simulator.disk.SimulatedDisk;
import dev.leasehold.simulator.disk.SystemCalls;
import dev.leasehold.store.Observations;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What hosts have seen of records in a store without a clock. A host whose uptime cannot be set keeps it on a disk, for
 * the next process. In some simulations, all hosts have one home directory.
 */
final class ObservationDisks {
    private final SimulatedWorld world;
    private final @Nullable SimulatedDisk shared;
    private final Map<SimulatedHost, SimulatedDisk> disks = new HashMap<>();
    private final Map<SimulatedHost, String> clocks = new HashMap<>();

    ObservationDisks(SimulatedWorld world) {
        this.world = world;
        this.shared = world.random().oneIn(2) ? new SimulatedDisk(name -> {}) : null;
    }

    /** What a process that has just started knows. */
    Observations seenBy(SimulatedProcess process) {
        SimulatedHost host = process.host();
        Observations observations = new Observations(host::read, host::wallClock);
        if (host.isLaptop()) {
            SimulatedDisk disk =
                    shared == null ? disks.computeIfAbsent(host, each -> new SimulatedDisk(name -> {})) : shared;
            String clock = clocks.computeIfAbsent(host, each -> "boot-" + clocks.size());
            observations.keepIn(disk.seenBy(new Calls(process)), clock);
        }
        return observations;
    }

    /** The process does not wait here, because it holds a lock of the JDK. A pause begins at its next step. */
    private final class Calls implements SystemCalls {
        private final SimulatedProcess process;

        Calls(SimulatedProcess process) {
            this.process = process;
        }

        @Override
        public void enter() {
            process.requireAlive();
            world.faultInjector().before(process);
            process.requireAlive();
        }

        @Override
        public void waitForSync() {}

        @Override
        public boolean isFull() {
            return world.faultInjector().happens(SimulatedFault.DISK_FULL);
        }

        @Override
        public boolean isDead() {
            return process.isDead();
        }
    }
}
