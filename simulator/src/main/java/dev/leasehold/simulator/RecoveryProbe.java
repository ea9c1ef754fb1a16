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

/**
 * Runs after the faults have stopped, and checks that the lease can be acquired and the target
 * written.
 */
final class RecoveryProbe {
    private static final Duration SLACK = Duration.ofSeconds(2);

    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private boolean done;

    RecoveryProbe(SimulatedWorld world) {
        this.world = world;
        this.process = new SimulatedProcess("probe", world, world.newHost());
    }

    boolean isDone() {
        return done;
    }

    void start() {
        world.time().start("probe", () -> {
            try {
                probe();
                done = true;
            } catch (TargetUnavailableException e) {
                world.invariants().violated(Invariant.ONE_STEP, "the target is unusable: " + e.getMessage());
            } catch (InterruptedException e) {
                throw new IllegalStateException("this fiber is never interrupted", e);
            }
        });
    }

    private void probe() throws InterruptedException {
        Duration ttl = world.scenario().ttl();
        Leases leases = Leases.over(world.openStore(process))
                .context(process.context())
                .holder(Holder.of("probe"))
                .terms(LeaseTerms.ofTtl(ttl))
                .build();
        AcquireResult attempt = leases.acquireWithin(
                Invariants.NAME, LeaseTerms.ofTtl(ttl), ttl.plus(ttl).plus(SLACK));
        if (!(attempt instanceof AcquireResult.Acquired acquired)) {
            world.invariants()
                    .violated(
                            Invariant.LIVENESS, "no process is working, but the lease cannot be acquired: " + attempt);
            return;
        }
        if (!use(acquired.held()) && world.invariants().hasStoreLostData()) {
            acquired.held().close();
            repairAndUse(leases, LeaseTerms.ofTtl(ttl));
        }
    }

    /** Does what the message of the target's refusal asks an operator to do. */
    private void repairAndUse(Leases leases, LeaseTerms terms) {
        FencingToken raised = world.guarded().raised();
        Acquisition answer = leases.store()
                .intervene(Intervention.repair(
                        Invariants.NAME,
                        AttemptId.of(world.ids().unique()),
                        Holder.of("operator"),
                        raised.value(),
                        Note.of("the store went back in time")));
        world.log().note(process, "repaired: " + answer);
        boolean used =
                leases.tryAcquire(Invariants.NAME, terms) instanceof AcquireResult.Acquired again && use(again.held());
        if (!used) {
            world.invariants().violated(Invariant.STORE_WENT_BACK, "the target still refuses after the repair");
        }
    }

    private boolean use(Lease lease) {
        SimulatedTarget fence = world.guarded().seenBy(process);
        Admission answer = fence.raise(lease.grant());
        if (answer instanceof Admission.Admitted) {
            List<String> content = new ArrayList<>(fence.read());
            content.add("probe");
            answer = fence.admit(lease.grant(), content);
        }
        world.log().note(process, "got the answer " + answer);
        if (answer instanceof Admission.Refused && !world.invariants().hasStoreLostData()) {
            world.invariants().violated(Invariant.STORE_WENT_BACK, "the target refuses the only owner: " + answer);
        }
        return answer instanceof Admission.Admitted;
    }
}
