package dev.leasehold.spi;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.TransferReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A change of ownership that an operator or supervisor forces. It ignores the deadline, but it can
 * only raise the token, it needs a reason, and it carries an attempt id so that a retry does not
 * raise the token twice.
 *
 * <p>A caller that decided on a record it has read should use {@link #ifTokenIs}: since then, the
 * lease may have passed to a run that the caller did not mean to end. Such an intervention takes
 * effect at most once, however late a copy of the request arrives. Use a new attempt id for each
 * token seen.
 *
 * @param kind TAKEOVER: own the lease now; CANCELLED: end the holder's ownership and leave the name
 *     free; RECOVERED: lift the counter above {@code above} and leave the name free
 * @param above the new token is higher than this; zero for the next token
 * @param seen the token that must still be current; null if any token may be current
 */
public record Intervention(
        TransferReason kind,
        LeaseName name,
        AttemptId attempt,
        Holder holder,
        Duration ttl,
        long above,
        Note reason,
        @Nullable FencingToken seen) {
    public static final long MAX_ABOVE = Long.MAX_VALUE - 1_000_000_000L;

    public Intervention {
        if (kind != TransferReason.TAKEOVER && kind != TransferReason.CANCELLED && kind != TransferReason.RECOVERED) {
            throw new IllegalArgumentException(kind.word() + " is not an intervention");
        }
        if (above < 0 || above > MAX_ABOVE) {
            throw new IllegalArgumentException("the number to lift the counter above must be between 0 and " + MAX_ABOVE
                    + ": a counter at its maximum could never be raised again");
        }
    }

    public static Intervention takeover(LeaseName name, AttemptId attempt, Holder holder, Duration ttl, Note reason) {
        return new Intervention(TransferReason.TAKEOVER, name, attempt, holder, ttl, 0, reason, null);
    }

    public static Intervention cancel(LeaseName name, AttemptId attempt, Holder holder, Note reason) {
        return new Intervention(TransferReason.CANCELLED, name, attempt, holder, Duration.ZERO, 0, reason, null);
    }

    public static Intervention repair(LeaseName name, AttemptId attempt, Holder holder, long above, Note reason) {
        return new Intervention(TransferReason.RECOVERED, name, attempt, holder, Duration.ZERO, above, reason, null);
    }

    /**
     * The same intervention, which takes effect only if the current token is still the one that the
     * caller saw.
     */
    public Intervention ifTokenIs(FencingToken token) {
        return new Intervention(kind, name, attempt, holder, ttl, above, reason, token);
    }

    /** The same intervention, with a token that is also higher than this. */
    public Intervention liftedAbove(long least) {
        return new Intervention(kind, name, attempt, holder, ttl, Math.max(above, least), reason, seen);
    }

    /** Whether the name is free afterwards. */
    public boolean leavesFree() {
        return kind != TransferReason.TAKEOVER;
    }
}
