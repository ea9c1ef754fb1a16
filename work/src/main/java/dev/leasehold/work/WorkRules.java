package dev.leasehold.work;

import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rules of the ledger, as pure decisions about one item. */
final class WorkRules {
    private WorkRules() {}

    /** An answer, and the item to write, or null if nothing changes. */
    record Decision<T>(T answer, @Nullable WorkItem write) {
        static <T> Decision<T> keep(T answer) {
            return new Decision<>(answer, null);
        }
    }

    /**
     * The run that claims a key.
     *
     * @param lease the lease of the grant, read <em>after</em> the item: if the item has a higher
     *     token than the lease, the store has lost records
     */
    record Claimer(Grant grant, Optional<LeaseSnapshot> lease, @Nullable Fingerprint input) {
        @Nullable
        Loss loss() {
            return lossOf(grant, lease);
        }
    }

    static @Nullable Loss lossOf(Grant grant, Optional<LeaseSnapshot> lease) {
        return lease.isEmpty()
                ? Loss.Forgotten.neverIssued(grant)
                : lease.get().lease().lossOf(grant, lease.get().at());
    }

    /**
     * @param otherLeaseHeld whether the item runs under a lease of another name that has not
     *     expired
     */
    static Decision<Claim> claim(
            WorkId id, @Nullable WorkItem item, Claimer claimer, boolean otherLeaseHeld, Instant now) {
        Fingerprint known = item == null ? null : item.fingerprint();
        Fingerprint input = claimer.input == null ? known : claimer.input;
        if (item != null && known != null && input != null && !known.equals(input)) {
            return Decision.keep(new Claim.OtherInput(item, input));
        }
        if (item != null && item.state() == WorkState.DONE) {
            return Decision.keep(new Claim.AlreadyDone(item));
        }
        Loss loss = claimer.loss();
        if (loss != null || claimer.lease.isEmpty()) {
            return Decision.keep(new Claim.NotCurrent(
                    claimer.grant, loss == null ? Loss.Forgotten.neverIssued(claimer.grant) : loss));
        }
        if (item != null && item.by() != null) {
            Optional<Claim> settled = againstLastClaim(item, item.by().grant(), claimer.grant, otherLeaseHeld);
            if (settled.isPresent()) {
                return Decision.keep(settled.get());
            }
        }
        WorkItem claimed = claimed(id, item, claimer.grant, claimer.lease.get(), input, now);
        return new Decision<>(new Claim.Claimed(new WorkClaim(id, claimer.grant, claimed.epoch()), claimed), claimed);
    }

    /** Empty if the last claim does not prevent a new one. */
    private static Optional<Claim> againstLastClaim(WorkItem item, Grant last, Grant grant, boolean otherLeaseHeld) {
        boolean running = item.state() == WorkState.RUNNING;
        if (!last.name().equals(grant.name())) {
            return running && otherLeaseHeld ? Optional.of(new Claim.Taken(item, last)) : Optional.empty();
        }
        boolean sameToken = last.token().equals(grant.token());
        if (grant.token().isBelow(last.token()) || (sameToken && !grant.agreesWith(last.attempt()))) {
            return Optional.of(new Claim.StoreWentBack(grant, item, last));
        }
        // A repeated claim, whose reply was lost, gets the same claim and not a second one.
        return running && sameToken
                ? Optional.of(new Claim.Claimed(new WorkClaim(item.id(), grant, item.epoch()), item))
                : Optional.empty();
    }

    private static WorkItem claimed(
            WorkId id,
            @Nullable WorkItem item,
            Grant grant,
            LeaseSnapshot lease,
            @Nullable Fingerprint input,
            Instant now) {
        // The lease is current, so its attempt belongs to this grant, even if the grant is bare.
        Grant whole =
                new Grant(grant.name(), grant.token(), lease.lease().owner().attempt(), grant.store());
        WorkItem.Claimant by =
                new WorkItem.Claimant(whole, lease.lease().owner().holder());
        if (item == null) {
            return new WorkItem(id, WorkState.RUNNING, 1, 1, by, now, null, null, null, null, input, List.of());
        }
        return new WorkItem(
                id,
                WorkState.RUNNING,
                Math.addExact(item.epoch(), 1),
                Math.addExact(item.attempts(), 1),
                by,
                now,
                item.checkpoint(),
                null,
                item.lastError(),
                item.reason(),
                input,
                item.effects());
    }

    static Decision<WorkStep> checkpoint(WorkClaim claim, @Nullable WorkItem item, Checkpoint checkpoint) {
        if (item == null || !claim.covers(item) || item.state() != WorkState.RUNNING) {
            return stale(claim, item, null);
        }
        if (checkpoint.equals(item.checkpoint())) {
            return Decision.keep(new WorkStep.Repeated(item));
        }
        return accept(moved(item, WorkState.RUNNING, item.since(), checkpoint, null, item.lastError(), item.effects()));
    }

    /** @param loss why the claim's lease is not current, or null if it is */
    static Decision<WorkStep> complete(
            WorkClaim claim,
            @Nullable WorkItem item,
            @Nullable WorkResult result,
            List<String> effects,
            @Nullable Loss loss,
            Instant now) {
        if (item == null || !claim.covers(item)) {
            return stale(claim, item, null);
        }
        if (item.state() == WorkState.DONE) {
            return Decision.keep(new WorkStep.Repeated(item));
        }
        // A lapsed lease that no other holder has taken still counts, as it does at a fence. A
        // lease that was taken does not, even if the new holder has not claimed this key yet.
        boolean taken = loss instanceof Loss.Superseded || loss instanceof Loss.Forgotten;
        if (item.state() != WorkState.RUNNING || taken) {
            return stale(claim, item, taken ? loss : null);
        }
        return accept(moved(item, WorkState.DONE, now, item.checkpoint(), result, null, numbered(item, effects)));
    }

    static Decision<Optional<WorkItem>> completeAsOperator(
            @Nullable WorkItem item, @Nullable WorkResult result, Note reason, Instant now) {
        if (item == null || item.state() == WorkState.DONE) {
            return Decision.keep(Optional.ofNullable(item));
        }
        WorkItem done = new WorkItem(
                item.id(),
                WorkState.DONE,
                Math.addExact(item.epoch(), 1),
                item.attempts(),
                null,
                now,
                item.checkpoint(),
                result,
                null,
                reason,
                item.fingerprint(),
                item.effects());
        return new Decision<>(Optional.of(done), done);
    }

    static Decision<WorkStep> fail(WorkClaim claim, @Nullable WorkItem item, Note error, Instant now) {
        if (item == null || !claim.covers(item) || item.state() == WorkState.DONE) {
            return stale(claim, item, null);
        }
        if (item.state() == WorkState.FAILED) {
            return Decision.keep(new WorkStep.Repeated(item));
        }
        return accept(moved(item, WorkState.FAILED, now, item.checkpoint(), null, error, item.effects()));
    }

    /** Depends only on the effect itself, so that deliveries can be recorded in any order. */
    static Decision<Boolean> delivered(@Nullable WorkItem item, int number) {
        if (item == null || item.pendingEffects().stream().noneMatch(effect -> effect.number() == number)) {
            return Decision.keep(false);
        }
        List<Effect> effects = item.effects().stream()
                .map(effect -> effect.number() == number ? effect.asDelivered() : effect)
                .toList();
        return new Decision<>(
                true,
                moved(item, item.state(), item.since(), item.checkpoint(), item.result(), item.lastError(), effects));
    }

    /** @param leaseHeld whether the lease that the item runs under has not expired */
    static Decision<Reopening> reopen(WorkId id, @Nullable WorkItem item, boolean leaseHeld, Note reason, Instant now) {
        if (item == null) {
            return refuseToOpen("the ledger does not know key " + id.key() + " of " + id.name());
        }
        WorkItem.Claimant by = item.by();
        if (item.state() == WorkState.RUNNING && by != null && leaseHeld) {
            return refuseToOpen("key " + id.key() + " is being done by " + by.holder()
                    + "; end that run first: leasehold cancel "
                    + by.grant().name() + " --token " + by.grant().token() + " --reason 'reopen " + id.key() + "'");
        }
        if (!item.pendingEffects().isEmpty()) {
            return refuseToOpen("key " + id.key() + " was completed and "
                    + item.pendingEffects().size() + " of its effects are not delivered yet: deliver them first");
        }
        boolean fromNothing = item.state() == WorkState.DONE;
        WorkItem open = new WorkItem(
                id,
                WorkState.OPEN,
                Math.addExact(item.epoch(), 1),
                0,
                by,
                now,
                fromNothing ? null : item.checkpoint(),
                null,
                item.lastError(),
                reason,
                fromNothing ? null : item.fingerprint(),
                item.effects());
        return new Decision<>(new Reopening.Opened(open), open);
    }

    private static Decision<Reopening> refuseToOpen(String why) {
        return Decision.keep(new Reopening.Refused(why));
    }

    /** Continues the numbers of an earlier completion, so that ids stay unique. */
    private static List<Effect> numbered(WorkItem item, List<String> bodies) {
        List<Effect> effects = new ArrayList<>();
        int last = item.effects().isEmpty()
                ? 0
                : item.effects().get(item.effects().size() - 1).number();
        for (String body : bodies) {
            effects.add(new Effect(item.id(), ++last, body, false));
        }
        return effects;
    }

    private static WorkItem moved(
            WorkItem item,
            WorkState state,
            Instant since,
            @Nullable Checkpoint checkpoint,
            @Nullable WorkResult result,
            @Nullable Note lastError,
            List<Effect> effects) {
        return new WorkItem(
                item.id(),
                state,
                item.epoch(),
                item.attempts(),
                item.by(),
                since,
                checkpoint,
                result,
                lastError,
                item.reason(),
                item.fingerprint(),
                effects);
    }

    private static Decision<WorkStep> accept(WorkItem item) {
        return new Decision<>(new WorkStep.Accepted(item), item);
    }

    private static Decision<WorkStep> stale(WorkClaim claim, @Nullable WorkItem item, @Nullable Loss loss) {
        return Decision.keep(new WorkStep.Stale(claim, item, loss));
    }
}
