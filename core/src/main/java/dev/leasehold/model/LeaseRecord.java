package dev.leasehold.model;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a store remembers of a name. It is never deleted: the token must outlive every holder.
 *
 * @param owner the latest change of ownership, which carries the current token
 * @param deadline when the store may give the name away; free if and only if this has passed
 * @param term how far ahead of store time the deadline was last set; a deadline further away than that tells that the
 *     store's clock jumped back
 * @param released whether the owner gave it back (the deadline may still lie ahead, see minHold)
 * @param seen the latest store time recorded here; store time never runs below it
 */
public record LeaseRecord(
        LeaseName name,
        Transfer owner,
        Instant deadline,
        Duration term,
        boolean released,
        Instant seen,
        @Nullable Progress progress) {

    /** The latest proof of progress of the current owner. */
    public record Progress(@Nullable Note note, @Nullable Checkpoint checkpoint, Instant at) {}

    public FencingToken token() {
        return owner.token();
    }

    /** Why the grant is not current at this moment of store time, or null if it is. */
    public @Nullable Loss lossOf(Grant grant, Instant now) {
        if (token().isBelow(grant.token())) {
            return Loss.Forgotten.neverIssued(grant);
        }
        if (grant.token().isBelow(token())) {
            return new Loss.Superseded(owner);
        }
        if (!grant.agreesWith(owner.attempt())) {
            return new Loss.Forgotten("the store knows " + grant + " from another attempt");
        }
        if (released) {
            return new Loss.Released(seen);
        }
        return deadline.isAfter(now) ? null : Loss.Lapsed.atStore(deadline);
    }
}
