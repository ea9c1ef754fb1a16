package dev.leasehold.server;

import dev.leasehold.client.message.ProblemType;
import dev.leasehold.model.LeaseName;
import org.jspecify.annotations.Nullable;

/**
 * Who calls, and what that client may do.
 *
 * @param owner of the key, for the history; null for a client without a key
 * @param prefix it sees and touches only names that start with this
 */
record Caller(@Nullable String owner, Role role, String prefix) {
    /** Every client of a server of this host whose store has no keys. */
    static final Caller ANYBODY = new Caller(null, Role.OPERATOR, "");

    /** @throws BadRequestException if this is not for the role of the caller */
    void require(Role needed) {
        if (!role.includes(needed)) {
            throw new BadRequestException(
                    ProblemType.FORBIDDEN,
                    "this call is for the role " + needed.word() + ", and the key has the role " + role.word());
        }
    }

    /** @throws BadRequestException if the name is not for this caller */
    LeaseName require(LeaseName wanted) {
        if (!sees(wanted.value())) {
            throw new BadRequestException(ProblemType.FORBIDDEN, "the key is for names that start with " + prefix);
        }
        return wanted;
    }

    /**
     * Whether it may see the attempts of others. With its attempt a token is a whole grant, which opens the
     * doors of services that check grants.
     */
    boolean seesAttempts() {
        return role.includes(Role.HOLDER);
    }

    boolean sees(String wanted) {
        return wanted.startsWith(prefix);
    }

    /** The longer of two prefixes of which one starts with the other; null if nothing has both. */
    @Nullable
    String narrowed(String wanted) {
        if (wanted.startsWith(prefix)) {
            return wanted;
        }
        return prefix.startsWith(wanted) ? prefix : null;
    }
}
