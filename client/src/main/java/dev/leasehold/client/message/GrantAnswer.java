package dev.leasehold.client.message;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A lease that was granted. The holder's trust counts from before it asked, so it must not add
 * {@code expiresInMs} to the time at which the answer arrived.
 *
 * @param ttlMs null for a lease that an operator left free
 */
public record GrantAnswer(
        @Required String name,
        @Required long token,
        @Required String attempt,
        @Required String store,
        @Required String holder,
        @Nullable Long ttlMs,
        @Required long expiresInMs,
        @Required TransferPart transfer) {
    public static GrantAnswer of(Acquisition.Granted granted, StoreId store, @Nullable Long ttlMs) {
        return new GrantAnswer(
                granted.grant().name().value(),
                granted.grant().token().value(),
                granted.transfer().attempt().value(),
                store.value(),
                granted.transfer().holder().value(),
                ttlMs,
                Millis.down(granted.remaining()),
                TransferPart.of(granted.transfer()));
    }

    public Acquisition.Granted toGranted() {
        Grant grant = new Grant(LeaseName.of(name), FencingToken.of(token), AttemptId.of(attempt), StoreId.of(store));
        return new Acquisition.Granted(grant, Duration.ofMillis(expiresInMs), transfer.toTransfer());
    }
}
