package dev.leasehold.simulator;

import dev.leasehold.Lease;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Note;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.Claim;
import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkKey;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkResult;
import dev.leasehold.work.WorkStep;
import java.time.Duration;
import java.util.List;

/** Work under a key, as the README describes: claim it, save checkpoints, complete it. */
final class KeyedWork {
    private static final int KEYS = 3;

    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private final WorkLedger ledger;

    KeyedWork(SimulatedWorld world, SimulatedProcess process, LeaseStore store) {
        this.world = world;
        this.process = process;
        this.ledger = WorkLedger.over(store, process);
    }

    private static WorkId id(long n) {
        return new WorkId(Invariants.NAME, WorkKey.of("key-" + n));
    }

    void doOne(Lease lease) {
        WorkId id = id(world.random().between(1, KEYS));
        Claim answer = ledger.claim(lease.grant(), id, null);
        if (!(answer instanceof Claim.Claimed claimed)) {
            return;
        }
        WorkClaim claim = claimed.claim();
        world.log().note(process, "claimed " + id.key() + ", epoch " + claim.epoch());
        process.sleep(
                Duration.ofNanos(world.random().upTo(2 * world.scenario().ttl().toNanos())));
        if (world.random().oneIn(3)) {
            ledger.checkpoint(claim, Checkpoint.of("half way"));
        }
        if (world.random().oneIn(4)) {
            ledger.fail(claim, Note.of("failed"));
            return;
        }
        WorkStep step =
                ledger.complete(claim, WorkResult.of(claim.epoch() + " by " + process), List.of("send a report"));
        world.log()
                .note(process, "completing " + id.key() + ": " + step.getClass().getSimpleName());
        if (step instanceof WorkStep.Accepted) {
            world.completionChecks().accepted(claim);
        }
    }
}
