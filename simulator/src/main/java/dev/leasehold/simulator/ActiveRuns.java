package dev.leasehold.simulator;

import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import java.util.HashMap;
import java.util.Map;

/** Who is at work under which grant, seen from outside: from the moment a run says that it started to the end of its thread. */
final class ActiveRuns {
    private record AtWork(SimulatedProcess process, Grant grant) {}

    private final SimulatedWorld world;
    private final Map<Fiber, AtWork> atWork = new HashMap<>();

    ActiveRuns(SimulatedWorld world) {
        this.world = world;
    }

    /** The fiber that runs now says that it runs a slot under this grant. */
    void started(SimulatedProcess process, Grant grant) {
        atWork.put(world.time().running(), new AtWork(process, grant));
    }

    /** Runs a task of an engine to its end, whatever that is. */
    void toItsEnd(Runnable task) {
        try {
            task.run();
        } finally {
            atWork.remove(world.time().running());
        }
    }

    boolean isAnybodyAtWork(LeaseName name, FencingToken token) {
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
