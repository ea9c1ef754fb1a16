package dev.leasehold.spi;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
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
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Leases, one atomic step an operation, judged by the store's own clock. No operation takes "now".
 *
 * <p>Safe for use by many threads. Every method may throw {@link dev.leasehold.model.StoreUnavailableException}, which
 * means that the outcome is unknown, or {@link dev.leasehold.model.StoreCorruptException}, which means stop.
 *
 * <p>What a store does not promise: that a holder notices in time that its lease is over. That is what fences are for.
 */
public interface LeaseStore extends AutoCloseable {
    /** How many transfers of a name are kept at least. */
    int HISTORY_KEPT = 64;

    /** Names that start with this belong to nobody: an examination of the store makes them, and removes them again. */
    String SCRATCH_PREFIX = "leasehold-scratch/";

    /** Made with the store and kept for ever. */
    StoreId id();

    /**
     * Grants the name if it is new or its deadline has passed, with the previous token + 1. The same attempt while its
     * grant is current gets the same token again; after that it is {@link Acquisition.Spent}. The same holder gets no
     * special treatment: a restarted run is a new owner.
     */
    Acquisition acquire(LeaseName name, AttemptId attempt, Holder holder, Duration ttl);

    /**
     * An operator's move: raises the token whatever the deadline says. Answers Granted or Spent; and {@link
     * Acquisition.Moved}, having changed nothing, if the move depends on a token that is not the current one.
     */
    Acquisition intervene(Intervention move);

    /** Moves deadlines ahead, never back, and only for current grants. One call and one answer for each request, in order. */
    List<Renewal> renew(List<RenewRequest> requests);

    /** Marks the grant released; the name stays taken until {@code minHold} after it was acquired. Never deletes. */
    Release release(Grant grant, Duration minHold);

    /** Releases whatever this attempt may have been granted: the last word of a sender that gives up. */
    void abandon(LeaseName name, AttemptId attempt);

    /** Records proof of progress; a null leaves the earlier note or checkpoint of this owner as it is. */
    ProgressReport progress(Grant grant, @Nullable Note note, @Nullable Checkpoint checkpoint);

    Optional<LeaseSnapshot> inspect(LeaseName name);

    /** Records whose names start with {@code prefix} and come after {@code after}, in the order of names. */
    List<LeaseSnapshot> list(String prefix, String after, int limit);

    /** The latest transfers of a name, newest first. */
    List<Transfer> history(LeaseName name, int limit);

    /** A small register beside the leases, for work items and run outcomes. */
    CasRegister register();

    /**
     * Starts listening for the moment a name becomes free, if this store can tell; empty means that waiters have to poll. A
     * caller asks once more after this returns, so that nothing that happened before is missed.
     */
    default Optional<Watch> watch(LeaseName name) {
        return Optional.empty();
    }

    /**
     * Removes a scratch name together with its counter; every other name is kept for ever. False if this store cannot.
     *
     * @throws IllegalArgumentException if the name does not start with {@link #SCRATCH_PREFIX}
     */
    default boolean eraseScratch(LeaseName name) {
        return false;
    }

    /** @throws IllegalArgumentException if the name does not start with {@link #SCRATCH_PREFIX} */
    static void requireScratch(LeaseName name) {
        if (!name.value().startsWith(SCRATCH_PREFIX)) {
            throw new IllegalArgumentException("only names that start with " + SCRATCH_PREFIX
                    + " may be erased: the counter of " + name + " must outlive its holders");
        }
    }

    /** Why each step of this store is atomic, in half a sentence; empty where only experience tells. */
    default Optional<String> atomicBecause() {
        return Optional.empty();
    }

    /** Settings of the store under which an acknowledged token could be lost, one sentence each. */
    default List<String> warnings() {
        return List.of();
    }

    @Override
    void close();
}
