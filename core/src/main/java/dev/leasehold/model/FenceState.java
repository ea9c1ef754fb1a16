package dev.leasehold.model;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a guarded target remembers, and the rules by which it admits a grant.
 *
 * @param raised the highest token it has been shown, and the attempt behind it where that was told
 * @param once the highest token that used its one write, and the digest of what it wrote
 */
public record FenceState(
        LeaseName name,
        @Nullable StoreId store,
        FencingToken raised,
        @Nullable AttemptId attempt,
        @Nullable FencingToken once,
        @Nullable String digest) {
    /** The state of a target that this grant is the first to guard. */
    public static FenceState first(Grant grant) {
        return new FenceState(grant.name(), grant.store(), grant.token(), grant.attempt(), null, null);
    }

    /**
     * Why the grant may not write here, or empty if it may.
     *
     * @throws WrongFenceException if it is a grant of another lease altogether
     */
    public Optional<Admission.Refused> refusal(Grant grant, Object target) {
        if (!name.equals(grant.name())) {
            throw new WrongFenceException(target + " is guarded by lease " + name + ", not by " + grant.name()
                    + ": nothing was written. Use that lease for this target");
        }
        if (store != null && grant.store() != null && !store.equals(grant.store())) {
            throw WrongFenceException.ofStore(target + " is bound to store " + store + ", but " + grant
                    + " was granted by store " + grant.store()
                    + ": nothing was written. The store was lost and made anew, or"
                    + " it is another one; tokens of two stores cannot be compared, so none of this store's is admitted"
                    + " here. Use the store that the target is bound to (--store, LEASEHOLD_STORE), or restore it from"
                    + " a backup. To give it up, remove the fence by hand: then writers of the old store that still run"
                    + " are not refused any more");
        }
        if (grant.token().isBelow(raised)) {
            return Optional.of(new Admission.Stale(grant, raised));
        }
        if (grant.token().equals(raised) && !grant.agreesWith(attempt)) {
            return Optional.of(new Admission.StoreWentBack(grant, attempt));
        }
        return Optional.empty();
    }

    /** The answer to a second write that should happen once, or empty if this grant has its one write left. */
    public Optional<Admission> spent(Grant grant, String newDigest) {
        if (once == null || once.isBelow(grant.token())) {
            return Optional.empty();
        }
        boolean same = once.equals(grant.token()) && newDigest.equals(digest);
        return Optional.of(same ? new Admission.AlreadyWritten(once) : new Admission.OnceUsed(grant, once));
    }

    /** After the grant was admitted. What a bare grant does not know is kept. */
    public FenceState raisedTo(Grant grant) {
        boolean higher = raised.isBelow(grant.token());
        return new FenceState(
                name,
                store == null ? grant.store() : store,
                grant.token(),
                higher || attempt == null ? grant.attempt() : attempt,
                once,
                digest);
    }

    public FenceState usedOnce(String writtenDigest) {
        return new FenceState(name, store, raised, attempt, raised, writtenDigest);
    }
}
