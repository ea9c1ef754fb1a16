package dev.leasehold.simulator;

import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkItem;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Reads the ledger directly in the store and checks that completed items stay unchanged, and that
 * only one claim completed each.
 */
final class CompletionChecks {
    private static final String PREFIX = "work#";

    private final SimulatedWorld world;
    private final WorkLedger truth;
    private final Map<WorkId, WorkItem> before = new HashMap<>();
    private final Set<WorkId> done = new HashSet<>();
    private final Map<WorkId, WorkClaim> accepted = new HashMap<>();

    CompletionChecks(SimulatedWorld world, WorkLedger truth) {
        this.world = world;
        this.truth = truth;
    }

    void storeChanged(String key) {
        if (key.startsWith(PREFIX) && !world.invariants().hasStoreLostData()) {
            int end = key.indexOf('#', PREFIX.length());
            WorkId id = WorkId.of(key.substring(PREFIX.length(), end), key.substring(end + 1));
            truth.find(id).ifPresentOrElse(this::changed, () -> before.remove(id));
        }
    }

    private void changed(WorkItem item) {
        WorkItem earlier = before.put(item.id(), item);
        boolean nowDone = item.state() == WorkState.DONE && (earlier == null || earlier.state() != WorkState.DONE);
        if (nowDone && !done.add(item.id())) {
            violated(item, "was completed, forgotten, and completed again");
        }
        if (earlier == null) {
            return;
        }
        if (item.epoch() < earlier.epoch()) {
            violated(item, "went back from epoch " + earlier.epoch() + " to " + item.epoch());
        }
        if (earlier.state() == WorkState.DONE && !sameCompletion(earlier, item)) {
            violated(
                    item,
                    "was completed with " + earlier.result() + " and is now " + item.state() + " " + item.result());
        }
    }

    private static boolean sameCompletion(WorkItem one, WorkItem other) {
        return other.state() == WorkState.DONE
                && one.epoch() == other.epoch()
                && String.valueOf(one.result()).equals(String.valueOf(other.result()))
                && one.effects().size() == other.effects().size();
    }

    /** The ledger accepted the completion by this claim. */
    void accepted(WorkClaim claim) {
        if (world.invariants().hasStoreLostData()) {
            return;
        }
        truth.find(claim.id())
                .filter(item -> item.epoch() != claim.epoch())
                .ifPresent(item -> violated(item, "was completed under epoch " + claim.epoch()));
        WorkClaim other = accepted.put(claim.id(), claim);
        if (other != null && !other.equals(claim)) {
            world.invariants()
                    .violated(
                            Invariant.ONE_COMPLETION,
                            claim.id() + " was completed under epoch " + other.epoch() + " and " + claim.epoch());
        }
    }

    private void violated(WorkItem item, String what) {
        world.invariants().violated(Invariant.ONE_COMPLETION, item.id() + " " + what);
    }
}
