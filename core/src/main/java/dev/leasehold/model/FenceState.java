package dev.leasehold.model;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a target remembers about the grants it has seen, and the rules by which it admits the
 * next one.
 *
 * <p>Every fence that decides in Java calls {@link #judge}. Redis scripts and SQL statements decide
 * in their own language; the fence contract of the test kit holds them to the same rules.
 *
 * @param name the lease that guards the target
 * @param store the store whose tokens count here; null until a grant that names its
 *     store is admitted
 * @param raised the highest token the target has seen
 * @param attempt the attempt that got this token; null if its grant did not name it
 * @param once the highest token that used its one write; null if none did
 * @param digest the digest of what that one write wrote
 * @param id a random id that was made with the fence, by which a copy from a backup is recognized;
 *     null if this fence has none
 */
public record FenceState(
        LeaseName name,
        @Nullable StoreId store,
        FencingToken raised,
        @Nullable AttemptId attempt,
        @Nullable FencingToken once,
        @Nullable String digest,
        @Nullable String id) {
    /** The state of a target that this grant is the first to guard. */
    public static FenceState first(Grant grant) {
        return new FenceState(grant.name(), grant.store(), grant.token(), grant.attempt(), null, null, null);
    }

    public FenceState withId(String newId) {
        return new FenceState(name, store, raised, attempt, once, digest, newId);
    }

    /** The same fence with another one-time write. */
    public FenceState withOnce(@Nullable FencingToken otherOnce, @Nullable String otherDigest) {
        return new FenceState(name, store, raised, attempt, otherOnce, otherDigest, id);
    }

    /**
     * Decides whether the grant may write.
     *
     * @param target what is guarded, for messages
     * @param onceDigest the digest of what is written, if the grant may write only once; null if it
     *     may write many times
     * @throws WrongFenceException if the grant is of another lease or of another store
     */
    public FenceDecision judge(Grant grant, Object target, @Nullable String onceDigest) {
        requireSameLease(grant, target);
        if (grant.token().isBelow(raised)) {
            return new FenceDecision.Refuse(new Admission.Stale(grant, raised), this);
        }
        if (grant.token().equals(raised) && !grant.agreesWith(attempt)) {
            return new FenceDecision.Refuse(new Admission.StoreWentBack(grant, attempt), this);
        }
        if (onceDigest == null) {
            return new FenceDecision.Admit(new Admission.Admitted(grant.token()), raisedTo(grant, once, digest));
        }
        if (once == null || once.isBelow(grant.token())) {
            return new FenceDecision.Admit(
                    new Admission.Admitted(grant.token()), raisedTo(grant, grant.token(), onceDigest));
        }
        return once.equals(grant.token()) && onceDigest.equals(digest)
                ? new FenceDecision.Repeat(new Admission.AlreadyWritten(once), this)
                : new FenceDecision.Refuse(new Admission.OnceUsed(grant, once), this);
    }

    /**
     * Decides for a target that is observed and not guarded. A write that {@link #judge} refuses
     * goes ahead, the answer says why it would have been refused, and the state stays as it is.
     */
    public FenceDecision observe(Grant grant, Object target, @Nullable String onceDigest) {
        FenceDecision decision = judge(grant, target, onceDigest);
        return decision instanceof FenceDecision.Refuse refuse
                ? new FenceDecision.Admit(new Admission.Observed(grant.token(), refuse.answer()), this)
                : decision;
    }

    /**
     * Decides whether the grant binds the target to its store. The store to which the target is
     * bound was lost or given up. Tokens of the two stores still only rise here: the grant must be
     * above every token that the target has seen. In a target that is bound to the grant's store, or
     * to none, this is {@link #judge}.
     *
     * @param target what is guarded, for messages
     * @throws WrongFenceException if the grant is of another lease
     */
    public FenceDecision rebind(Grant grant, Object target) {
        requireSameName(grant, target);
        if (grant.store() == null) {
            throw new IllegalArgumentException(grant + " does not name its store: a target cannot be bound to it");
        }
        if (store == null || store.equals(grant.store())) {
            return judge(grant, target, null);
        }
        return raised.isBelow(grant.token())
                ? new FenceDecision.Admit(
                        new Admission.Admitted(grant.token()),
                        new FenceState(name, grant.store(), grant.token(), grant.attempt(), once, digest, id))
                : new FenceDecision.Refuse(new Admission.Stale(grant, raised), this);
    }

    /** A target other than a path that {@code leasehold fence rebind} can bind to another store. */
    public interface Rebindable {
        /** How the target is named on the command line. */
        String onCommandLine();
    }

    private void requireSameLease(Grant grant, Object target) {
        requireSameName(grant, target);
        if (store != null && grant.store() != null && !store.equals(grant.store())) {
            throw WrongFenceException.ofStore(target + " is bound to store " + store + ", but " + grant
                    + " was granted by store " + grant.store()
                    + ": nothing was written. The store was lost and created again, or it is a different store. Tokens"
                    + " of two stores cannot be compared, so the target admits none from this store. Use the store"
                    + " that the target is bound to (--store, LEASEHOLD_STORE), or restore it from a backup. To give"
                    + " up the old store, " + remedy(target));
        }
    }

    private void requireSameName(Grant grant, Object target) {
        if (!name.equals(grant.name())) {
            throw new WrongFenceException(target + " is guarded by lease " + name + ", not by " + grant.name()
                    + ": nothing was written. Use that lease for this target");
        }
    }

    private String remedy(Object target) {
        String words = target instanceof Rebindable other ? other.onCommandLine() : target.toString();
        return target instanceof Rebindable || target instanceof Path
                ? "run 'leasehold fence rebind " + words
                        + " --reason ...': its writers that still run are then refused only by their lower tokens"
                : "raise the counter of the lease in the new store above token " + raised
                        + ", with 'leasehold repair', and call rebind of this fence with a grant of that store";
    }

    /** Keeps the store and the attempt where the grant does not name them. */
    private FenceState raisedTo(Grant grant, @Nullable FencingToken newOnce, @Nullable String newDigest) {
        boolean higher = raised.isBelow(grant.token());
        return new FenceState(
                name,
                store == null ? grant.store() : store,
                grant.token(),
                higher || attempt == null ? grant.attempt() : attempt,
                newOnce,
                newDigest,
                id);
    }
}
