package dev.leasehold.testkit.sim;

import dev.leasehold.guard.Fence;
import dev.leasehold.guard.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import java.util.List;
import java.util.function.Supplier;

/** The guarded document as one process sees it. */
final class RemoteFence implements Fence<List<String>> {
    private final World world;
    private final SimulatedProcess process;

    RemoteFence(World world, SimulatedProcess process) {
        this.world = world;
        this.process = process;
    }

    List<String> read() {
        return call(() -> world.target().document());
    }

    @Override
    public Admission raise(Grant grant) {
        return call(() -> world.target().raise(grant));
    }

    @Override
    public Admission admit(Grant grant, List<String> write) {
        return call(() -> world.target().admit(grant, write));
    }

    @Override
    public Admission admitOnce(Grant grant, List<String> write) {
        throw new UnsupportedOperationException("one write a grant is not simulated");
    }

    private <T> T call(Supplier<T> request) {
        try {
            return world.wire()
                    .call(process, world.target(), request)
                    .orElseThrow(() -> new TargetUnavailableException("no answer from the target"));
        } catch (ServerFailure e) {
            throw new TargetUnavailableException(String.valueOf(e.getMessage()));
        }
    }
}
