package dev.leasehold.simulator;

import dev.leasehold.model.Admission;
import dev.leasehold.model.FenceDecision;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A guarded document on a server, such as a row in a database: check and write are one step, by the
 * rules that all fences share. The document is the list of everything added to it.
 */
final class DocumentServer implements SimulatedServer, TargetState {
    private final SimulatedWorld world;
    private @Nullable FenceState fence;
    private List<String> document = List.of();

    DocumentServer(SimulatedWorld world) {
        this.world = world;
    }

    @Override
    public boolean isUnavailable() {
        return false;
    }

    @Override
    public boolean mayRepeatRequests() {
        return false;
    }

    @Override
    public SimulatedTarget seenBy(SimulatedProcess process) {
        return new RemoteDocument(world, process, this);
    }

    @Override
    public List<String> document() {
        return document;
    }

    @Override
    public FencingToken raised() {
        if (fence == null) {
            throw new IllegalStateException("the fence was never raised");
        }
        return fence.raised();
    }

    Admission raise(Grant grant) {
        FenceState before = fence == null ? FenceState.first(grant) : fence;
        FenceDecision decision = before.judge(grant, "the document", null);
        if (decision instanceof FenceDecision.Admit) {
            fence = decision.after();
            world.invariants().accepted(grant);
        }
        return decision.answer();
    }

    Admission admit(Grant grant, List<String> content) {
        if (world.faultInjector().happens(SimulatedFault.DISK_FULL)) {
            throw new ServerFailure("the disk is full; nothing was written");
        }
        Admission answer = raise(grant);
        if (answer instanceof Admission.Admitted) {
            world.invariants().written(grant, document, content);
            document = content;
        }
        return answer;
    }
}
