package dev.leasehold.simulator;

import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import java.util.HashMap;
import java.util.Map;

/**
 * Which processes work under which grant, observed from outside: from the start that a run reports
 * to the end of its thread.
 */
final class ActiveRuns {
    private record AtWork(SimulatedProcess process, Grant grant) {}

    private final SimulatedWorld world;
    private final Map<Fiber, AtWork> atWork = new HashMap<>();

    ActiveRuns(SimulatedWorld world) {
        this.world = world;
    }

    /** The current fiber reports that it runs a slot under this grant. */
    void started(SimulatedProcess process, Grant grant) {
        atWork.put(world.time().running(), new AtWork(process, grant));
    }

    /** Runs a task of an engine until it returns or throws. */
    void track(Runnable task) {
        try {
            task.run();
        } finally {
            atWork.remove(world.time().running());
        }
    }

    boolean isAnyRunActive(LeaseName name, FencingToken token) {
        for (AtWork run : atWork.values()) {
            if (!run.process.isDead()
                    && run.grant.name().equals(name)
                    && run.grant.token().equals(token)) {
                return true;
            }
        }
        return false;
    }
}
