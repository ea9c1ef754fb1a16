package dev.leasehold.simulator;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;

/** An operator who intervenes without checking the lease first. */
final class Operator {
    private static final Holder HOLDER = Holder.of("operator");
    private static final Note REASON = Note.of("it seems to hang");

    private final SimulatedWorld world;
    private final SimulatedProcess process;

    Operator(SimulatedWorld world) {
        this.world = world;
        this.process = new SimulatedProcess("operator", world, world.newHost());
    }

    void intervene(SimulatedFault kind) {
        world.time().start("operator", () -> {
            try {
                interveneNow(kind);
            } catch (StoreUnavailableException | TargetUnavailableException e) {
                world.log().note(process, "got no answer: " + e.getMessage());
            }
        });
    }

    private void interveneNow(SimulatedFault kind) {
        LeaseStore store = world.openStore(process);
        AttemptId attempt = AttemptId.of(world.ids().unique());
        Intervention intervention = kind == SimulatedFault.TAKEOVER
                ? Intervention.takeover(
                        Invariants.NAME, attempt, HOLDER, world.scenario().ttl(), REASON)
                : Intervention.cancel(Invariants.NAME, attempt, HOLDER, REASON);
        if (store.intervene(intervention) instanceof Acquisition.Granted granted) {
            world.log()
                    .note(
                            process,
                            intervention.kind().word() + ": token "
                                    + granted.grant().token());
            if (world.random().oneIn(2)) {
                Admission answer = world.guarded().seenBy(process).raise(granted.grant());
                world.log().note(process, "raised the target: " + answer);
            }
            if (kind == SimulatedFault.TAKEOVER && world.random().oneIn(2)) {
                store.release(granted.grant(), Duration.ZERO);
            }
        }
    }
}
