package dev.leasehold.client.message;

import dev.leasehold.spi.RenewRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Renews many leases in one step. */
public record RenewCall(@Required List<Item> grants) {
    /** One of the leases. */
    public record Item(
            @Required String name,
            @Required long token,
            @Nullable String attempt,
            @Nullable String store,
            @Required long ttlMs)
            implements GrantPart {
        public static Item of(RenewRequest request) {
            return new Item(
                    request.grant().name().value(),
                    request.grant().token().value(),
                    GrantPart.attemptOf(request.grant()),
                    GrantPart.storeOf(request.grant()),
                    Millis.up(request.ttl()));
        }
    }
}
