package dev.leasehold.simulator;

import dev.leasehold.jobs.JobRecord;
import dev.leasehold.jobs.OpenSlot;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Transfer;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the lease of a job whose slots supersede each other: all machines together raise the token
 * once per try of a slot, and none of them ends the run of a later slot.
 */
final class SupersedeChecks {
    /** The engine's attempt ids: the slot in milliseconds, and the number of the try. */
    private static final String PREFIX = "supersede-";

    private final SimulatedWorld world;
    private final Map<AttemptId, FencingToken> granted = new HashMap<>();

    SupersedeChecks(SimulatedWorld world) {
        this.world = world;
    }

    /** @param record the job's record at this moment */
    void leaseChanged(@Nullable JobRecord record) {
        LeaseSnapshot snapshot = world.invariants().current();
        if (snapshot == null || world.invariants().hasStoreLostData()) {
            return;
        }
        Transfer owner = snapshot.lease().owner();
        String attempt = owner.attempt().value();
        if (!attempt.startsWith(PREFIX)) {
            return;
        }
        FencingToken first = granted.putIfAbsent(owner.attempt(), owner.token());
        if (first != null && !first.equals(owner.token())) {
            violated(attempt + " was granted token " + first + " and token " + owner.token());
        }
        if (first == null && record != null) {
            int end = attempt.indexOf('-', PREFIX.length());
            checkRuns(record, owner, Instant.ofEpochMilli(Long.parseLong(attempt.substring(PREFIX.length(), end))));
        }
    }

    private void checkRuns(JobRecord record, Transfer owner, Instant slot) {
        for (OpenSlot open : record.open()) {
            boolean runs = open.lease().equals(Invariants.NAME) && !open.isQueued();
            if (runs && open.slot().isAfter(slot)) {
                violated(slot + " took the lease from the run of " + open.slot() + ", token " + owner.token());
            }
        }
    }

    private void violated(String what) {
        world.invariants().violated(Invariant.ONE_SUPERSEDE, what);
    }
}
