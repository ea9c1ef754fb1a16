package dev.leasehold.simulator;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An operator who intervenes without checking the lease first. */
final class Operator {
    private static final Holder HOLDER = Holder.of("operator");
    private static final Note REASON = Note.of("it seems to hang");

    private static final int MAX_LOOKS = 40;

    private final SimulatedWorld world;
    private final SimulatedProcess process;

    Operator(SimulatedWorld world) {
        this.world = world;
        this.process = new SimulatedProcess("operator", world, world.newHost());
    }

    void intervene(SimulatedFault kind) {
        world.time().start("operator", () -> {
            try {
                if (kind == SimulatedFault.FORGET) {
                    forget();
                } else {
                    interveneNow(kind);
                }
            } catch (StoreUnavailableException | TargetUnavailableException e) {
                world.log().note(process, "got no answer: " + e.getMessage());
            }
        });
    }

    private void forget() {
        LeaseStore store = world.openStore(process);
        boolean careless = world.random().oneIn(2);
        for (int looks = 0; looks < MAX_LOOKS; looks++) {
            Optional<LeaseSnapshot> seen = store.inspect(Invariants.NAME);
            if (seen.isPresent() && (careless || seen.get().isFree())) {
                FencingToken token = seen.get().lease().token();
                Forgetting outcome = store.forget(List.of(new ForgetRequest(Invariants.NAME, token)))
                        .get(0);
                world.log().note(process, "forgets the name at token " + token + ": " + outcome);
                return;
            }
            process.sleep(world.scenario().ttl().dividedBy(20));
        }
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
