package dev.leasehold.client.message;

import dev.leasehold.model.FencingToken;
import dev.leasehold.spi.Intervention;
import org.jspecify.annotations.Nullable;

/**
 * An operator takes a lease over, cancels it or repairs its counter; which of them, the path says.
 *
 * @param ttlMs for a takeover
 * @param above for a takeover or a repair: the new token is higher than this
 * @param ifToken the token that must still be current
 */
public record InterventionCall(
        @Required String name,
        @Required String reason,
        @Nullable Long ttlMs,
        @Nullable String holder,
        @Nullable Long above,
        @Nullable String attempt,
        @Nullable Long ifToken) {
    public static InterventionCall of(Intervention move) {
        FencingToken seen = move.seen();
        return new InterventionCall(
                move.name().value(),
                move.reason().value(),
                move.leavesFree() ? null : Millis.up(move.ttl()),
                move.holder().value(),
                move.above() == 0 ? null : move.above(),
                move.attempt().value(),
                seen == null ? null : seen.value());
    }
}
