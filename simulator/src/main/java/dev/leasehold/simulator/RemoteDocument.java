package dev.leasehold.simulator;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import java.util.List;
import java.util.function.Supplier;

/** The document over the network. */
final class RemoteDocument implements SimulatedTarget {
    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private final DocumentServer server;

    RemoteDocument(SimulatedWorld world, SimulatedProcess process, DocumentServer server) {
        this.world = world;
        this.process = process;
        this.server = server;
    }

    @Override
    public List<String> read() {
        return call(server::document);
    }

    @Override
    public Admission raise(Grant grant) {
        return call(() -> server.raise(grant));
    }

    @Override
    public Admission admit(Grant grant, List<String> content) {
        return call(() -> server.admit(grant, content));
    }

    private <T> T call(Supplier<T> request) {
        try {
            return world.network()
                    .call(process, server, request)
                    .orElseThrow(() -> new TargetUnavailableException("no answer from the target"));
        } catch (ServerFailure e) {
            throw new TargetUnavailableException(String.valueOf(e.getMessage()));
        }
    }
}
