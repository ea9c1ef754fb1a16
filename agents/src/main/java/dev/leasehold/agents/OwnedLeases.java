package dev.leasehold.agents;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Release;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The leases of an {@link Owner}. Claiming one that the owner holds already renews it. */
public final class OwnedLeases {
    private static final int MAX_TRIES = 8;

    private final LeaseStore store;
    private final Owner owner;
    private final Holder holder;
    private final Ids ids;
    private final Duration ttl;

    public OwnedLeases(LeaseStore store, Owner owner, Holder holder, Ids ids, Duration ttl) {
        this.store = store;
        this.owner = owner;
        this.holder = holder;
        this.ids = ids;
        this.ttl = ttl;
    }

    /** The answer to a claim. */
    public sealed interface Claim {}

    /**
     * The owner holds the lease.
     *
     * @param fresh whether it got the lease only now
     */
    public record Held(Acquisition.Granted granted, boolean fresh) implements Claim {
        public Grant grant() {
            return granted.grant();
        }
    }

    /** Somebody else holds the lease. */
    public record Busy(LeaseSnapshot by) implements Claim {}

    /**
     * Acquires the lease, or renews it if this owner holds it. Does not wait. One call to the store if the
     * lease is free, which is the usual case.
     */
    public Claim claim(LeaseName name) {
        for (int i = 0; i < MAX_TRIES; i++) {
            if (acquire(name, owner.newAttempt(ids)) instanceof Acquisition.Granted granted) {
                return new Held(granted, true);
            }
            LeaseSnapshot by = store.inspect(name).orElse(null);
            if (by == null || by.isFree()) {
                continue;
            }
            if (!isOurs(by.lease())) {
                return new Busy(by);
            }
            if (acquire(name, by.lease().owner().attempt()) instanceof Acquisition.Granted granted) {
                boolean same = by.lease().token().equals(granted.grant().token());
                return new Held(granted, !same);
            }
            // It changed hands since the look.
        }
        throw new StoreUnavailableException(name + " changes hands all the time; it was not acquired. Try again");
    }

    private Acquisition acquire(LeaseName name, AttemptId attempt) {
        try {
            return store.acquire(name, attempt, holder, ttl);
        } catch (StoreUnavailableException e) {
            try {
                store.abandon(name, attempt);
            } catch (StoreUnavailableException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    private boolean isOurs(LeaseRecord record) {
        return !record.released() && owner.owns(record.owner().attempt());
    }

    /**
     * Acquires all of the leases or none. The order of the names is the same for every caller, and no
     * caller waits, so two of them cannot block each other.
     *
     * @return the leases in the order of their names, or the first that is busy
     */
    public List<Claim> claimAll(List<LeaseName> names) {
        List<Claim> claims = new ArrayList<>();
        try {
            for (LeaseName name : new TreeSet<>(names)) {
                Claim claim = claim(name);
                if (claim instanceof Busy) {
                    giveBack(claims);
                    return List.of(claim);
                }
                claims.add(claim);
            }
        } catch (RuntimeException e) {
            giveBackAfter(e, claims);
            throw e;
        }
        return claims;
    }

    private void giveBackAfter(RuntimeException failure, List<Claim> claims) {
        try {
            giveBack(claims);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private void giveBack(List<Claim> claims) {
        for (Claim claim : claims) {
            if (claim instanceof Held held && held.fresh()) {
                store.release(held.grant(), Duration.ZERO);
            }
        }
    }

    /** Releases the lease if this owner holds it; empty if it does not. */
    public Optional<Grant> release(LeaseName name) {
        LeaseRecord record = store.inspect(name).map(LeaseSnapshot::lease).orElse(null);
        if (record == null || !isOurs(record)) {
            return Optional.empty();
        }
        Grant grant = new Grant(name, record.token(), record.owner().attempt(), store.id());
        return store.release(grant, Duration.ZERO) instanceof Release.Released ? Optional.of(grant) : Optional.empty();
    }
}
