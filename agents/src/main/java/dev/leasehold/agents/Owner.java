package dev.leasehold.agents;

import dev.leasehold.model.AttemptId;
import dev.leasehold.spi.Ids;

/**
 * Whoever shares leases under one id, such as the processes of one session. The attempts of an owner
 * start with a hash of the id, so every process of the owner recognizes its leases in the store, even
 * if what it remembered is lost. An operator's takeover has another attempt, and ends the ownership.
 */
public final class Owner {
    private static final int DIGITS = 24;

    private final String prefix;

    private Owner(String prefix) {
        this.prefix = prefix;
    }

    public static Owner of(String id) {
        return new Owner("as-" + FilePlace.sha256(id).substring(0, DIGITS) + "-");
    }

    AttemptId newAttempt(Ids ids) {
        return AttemptId.of(prefix + ids.unique());
    }

    boolean owns(AttemptId attempt) {
        return attempt.value().startsWith(prefix);
    }
}
