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
 * An operator's or supervisor's move. It ignores the deadline but nothing else: it can only raise the token, it needs a
 * reason, and it carries an attempt id so that a retry does not raise twice.
 *
 * <p>Whoever decides on what it read about a lease makes its move with {@link #ifTokenIs}: between the look and the move
 * the lease may have passed to a run that nobody meant to end. Such a move is made at most once, however late a copy of it
 * arrives, so its attempt id is granted one token; an id goes with one token seen.
 *
 * @param kind TAKEOVER: own it now; CANCELLED: end the holder's right and leave the name free; RECOVERED: lift the counter
 *     above {@code above} and leave the name free
 * @param above the token is lifted above this; zero where only the next one is wanted
 * @param seen the move is made only while this is the current token; null to make it whatever the token is
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
            throw new IllegalArgumentException(kind.word() + " is not an operator's move");
        }
        if (above < 0 || above > MAX_ABOVE) {
            throw new IllegalArgumentException("the number to lift the counter above must lie between 0 and "
                    + MAX_ABOVE + ": a counter at its end could never be raised again");
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

    /** The same move, made only if the current token is still the one that the caller saw. */
    public Intervention ifTokenIs(FencingToken token) {
        return new Intervention(kind, name, attempt, holder, ttl, above, reason, token);
    }

    /** Whether the name is free after the move. */
    public boolean leavesFree() {
        return kind != TransferReason.TAKEOVER;
    }
}
