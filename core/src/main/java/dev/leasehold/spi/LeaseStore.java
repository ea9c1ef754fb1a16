package dev.leasehold.spi;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.Transfer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store of leases. Each operation is one atomic step, judged by the store's own clock; no
 * operation takes the time as an argument.
 *
 * <p>Safe for use by many threads. Every method may throw {@link
 * dev.leasehold.model.StoreUnavailableException}, which means that the outcome is unknown, or
 * {@link dev.leasehold.model.StoreCorruptException}, which means that a person has to look at the
 * store.
 *
 * <p>A store does not promise that a holder notices in time that its lease is over. Fences protect
 * the target from that.
 */
public interface LeaseStore extends AutoCloseable {
    /** The minimum number of transfers that a store keeps for each name. */
    int HISTORY_KEPT = 64;

    /** The prefix of names that an examination of the store creates and removes again. */
    String SCRATCH_PREFIX = "leasehold-scratch/";

    /** The prefix of the names of files that agents edit. */
    String EDIT_PREFIX = "agent-edit/";

    /**
     * The highest token that a name may have to be forgotten. All new names start above the tokens of forgotten
     * ones, so a counter that an operator lifted very far must not use up the numbers of all others.
     */
    long MAX_FLOOR = 1L << 48;

    /** A random id, created with the store and never changed. */
    StoreId id();

    /**
     * Grants the name if it is new or its deadline has passed, with the previous token + 1, or the
     * {@link #floor} + 1 if the name is new. A
     * repeated attempt gets the same token again while its grant is current, and {@link
     * Acquisition.Spent} after that. Holders are not compared: a restarted run is a new owner.
     */
    Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl);

    /**
     * Raises the token, whatever the deadline says. Returns Granted or Spent, or {@link
     * Acquisition.Moved} if the intervention requires a token that is no longer current; then
     * nothing was changed.
     */
    Acquisition intervene(Intervention move);

    /**
     * Moves the deadlines of current grants ahead, never back. Returns one answer for each request,
     * in order.
     */
    List<Renewal> renew(List<RenewRequest> requests);

    /**
     * Marks the grant released. The name stays taken until {@code minHold} after it was acquired.
     * The record stays, because its token must outlive the holder.
     */
    Release release(Grant grant, Duration minHold);

    /** Releases the grant that this attempt may have got. Called by a client that gives up. */
    void abandon(LeaseName name, AttemptId attempt);

    /**
     * Records progress. If the note or the checkpoint is null, the earlier one of this owner stays.
     */
    ProgressReport progress(Grant grant, @Nullable Note note, @Nullable Checkpoint checkpoint);

    Optional<LeaseSnapshot> inspect(LeaseName name);

    /**
     * The records whose names start with {@code prefix} and sort after {@code after}, in the order
     * of names.
     */
    List<LeaseSnapshot> list(String prefix, String after, int limit);

    /**
     * The names of such a page, also of records that cannot be read. {@link #list} throws if one of
     * its records is damaged; with the names, the others can still be inspected.
     */
    default List<LeaseName> names(String prefix, String after, int limit) {
        List<LeaseName> names = new ArrayList<>();
        for (LeaseSnapshot lease : list(prefix, after, limit)) {
            names.add(lease.lease().name());
        }
        return names;
    }

    /** The latest transfers of a name, newest first. */
    List<Transfer> history(LeaseName name, int limit);

    /** A small register in the same store, for work items and run outcomes. */
    CasRegister register();

    /**
     * Starts to watch for the name to become free. Empty if this store cannot, and waiters have to
     * poll. The caller must ask for the lease once more after this returns, because it may have
     * become free before.
     */
    default Optional<Watch> watch(LeaseName name) {
        return Optional.empty();
    }

    /**
     * Removes the records of free names, with their histories. Each name is a step of its own: a name that is
     * taken, or has another token than the caller saw, stays. Before a record is removed, the {@link #floor}
     * rises to its token, so no token is ever issued twice. Returns one answer for each request, in order; a
     * repeated request gets {@link Forgetting#ABSENT}.
     *
     * <p>A fence that is bound to the name goes on working, because a later grant has a higher token than it
     * has seen.
     */
    default List<Forgetting> forget(List<ForgetRequest> requests) {
        return Collections.nCopies(requests.size(), Forgetting.KEPT);
    }

    /**
     * The highest token of all forgotten names; zero if none was forgotten. The first token of a new name is
     * higher. It never goes down.
     */
    default long floor() {
        return 0;
    }

    /**
     * Removes a scratch name with its token. False if this store cannot remove names.
     *
     * @throws IllegalArgumentException if the name does not start with {@link #SCRATCH_PREFIX}
     */
    default boolean eraseScratch(LeaseName name) {
        return false;
    }

    /** @throws IllegalArgumentException if the name may not be erased */
    static void requireScratch(LeaseName name) {
        if (!name.value().startsWith(SCRATCH_PREFIX)) {
            throw new IllegalArgumentException("only names that start with " + SCRATCH_PREFIX
                    + " may be erased: the counter of " + name + " must outlive its holders");
        }
    }

    /**
     * The reason why each step of this store is atomic, as half a sentence; empty if there is only
     * experience.
     */
    default Optional<String> atomicBecause() {
        return Optional.empty();
    }

    /** Settings of the store that could make it lose an acknowledged token, one sentence each. */
    default List<String> warnings() {
        return List.of();
    }

    @Override
    void close();
}
