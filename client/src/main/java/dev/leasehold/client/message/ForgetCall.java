package dev.leasehold.client.message;

import dev.leasehold.spi.ForgetRequest;
import java.util.List;

/** Removes the records of free names. */
public record ForgetCall(@Required List<Item> names) {
    /**
     * One of the names.
     *
     * @param token the token that must still be current
     */
    public record Item(@Required String name, @Required long token) {
        public static Item of(ForgetRequest request) {
            return new Item(request.name().value(), request.seen().value());
        }
    }
}
