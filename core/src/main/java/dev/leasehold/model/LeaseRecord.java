package dev.leasehold.model;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a store keeps about a name. The record outlives its holder, because the token must. Only a free name
 * can be forgotten, and the store never issues its tokens again.
 *
 * @param owner the latest change of ownership, which contains the current token
 * @param deadline the name is free if and only if this has passed
 * @param term how far ahead of store time the deadline was last set; if it is further away than
 *     that, the store's clock jumped back
 * @param released whether the owner gave the lease back; because of minHold, the deadline may still
 *     lie ahead
 * @param seen the latest store time in this record; store time never goes below it
 */
public record LeaseRecord(
        LeaseName name,
        Transfer owner,
        Instant deadline,
        Duration term,
        boolean released,
        Instant seen,
        @Nullable Progress progress) {

    /** The latest progress of the current owner. */
    public record Progress(@Nullable Note note, @Nullable Checkpoint checkpoint, Instant at) {}

    public FencingToken token() {
        return owner.token();
    }

    /** Why the grant is not current at this store time; null if it is. */
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
