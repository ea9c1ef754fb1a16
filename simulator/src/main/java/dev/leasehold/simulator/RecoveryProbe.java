package dev.leasehold.simulator;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Note;
import dev.leasehold.spi.Intervention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Comes when everything has calmed down, and has to find that life goes on: the lease is to be had, and the target to be written. */
final class RecoveryProbe {
    private static final Duration SLACK = Duration.ofSeconds(2);

    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private boolean done;

    RecoveryProbe(SimulatedWorld world) {
        this.world = world;
        this.process = new SimulatedProcess("prober", world, world.newHost());
    }

    boolean isDone() {
        return done;
    }

    void start() {
        world.time().start("prober", () -> {
            try {
                probe();
                done = true;
            } catch (TargetUnavailableException e) {
                world.invariants().violated(Invariant.ONE_STEP, "the target is of no use any more: " + e.getMessage());
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts", e);
            }
        });
    }

    private void probe() throws InterruptedException {
        Duration ttl = world.scenario().ttl();
        Leases leases = Leases.over(world.openStore(process))
                .context(process.context())
                .holder(Holder.of("prober"))
                .terms(LeaseTerms.ofTtl(ttl))
                .build();
        AcquireResult attempt = leases.acquireWithin(
                Invariants.NAME, LeaseTerms.ofTtl(ttl), ttl.plus(ttl).plus(SLACK));
        if (!(attempt instanceof AcquireResult.Acquired acquired)) {
            world.invariants()
                    .violated(Invariant.LIVENESS, "nobody works any more, and the lease is not to be had: " + attempt);
            return;
        }
        if (!use(acquired.held()) && world.invariants().storeIsBroken()) {
            acquired.held().close();
            repairAndUse(leases, LeaseTerms.ofTtl(ttl));
        }
    }

    /** What the target's refusal told the operator to do. */
    private void repairAndUse(Leases leases, LeaseTerms terms) {
        FencingToken raised = world.guarded().raised();
        Acquisition answer = leases.store()
                .intervene(Intervention.repair(
                        Invariants.NAME,
                        AttemptId.of(world.ids().unique()),
                        Holder.of("operator"),
                        raised.value(),
                        Note.of("the store went back")));
        world.log().note(process, "repaired: " + answer);
        boolean used =
                leases.tryAcquire(Invariants.NAME, terms) instanceof AcquireResult.Acquired again && use(again.held());
        if (!used) {
            world.invariants().violated(Invariant.STORE_WENT_BACK, "after the repair the target is still closed");
        }
    }

    private boolean use(Lease lease) {
        SimulatedTarget fence = world.guarded().seenBy(process);
        Admission answer = fence.raise(lease.grant());
        if (answer instanceof Admission.Admitted) {
            List<String> content = new ArrayList<>(fence.read());
            content.add("the prober's");
            answer = fence.admit(lease.grant(), content);
        }
        world.log().note(process, "was answered " + answer);
        if (answer instanceof Admission.Refused && !world.invariants().storeIsBroken()) {
            world.invariants().violated(Invariant.STORE_WENT_BACK, "the only owner is refused: " + answer);
        }
        return answer instanceof Admission.Admitted;
    }
}
