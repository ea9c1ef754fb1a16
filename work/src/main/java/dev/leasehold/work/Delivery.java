package dev.leasehold.work;

import java.util.List;

/**
 * The result of delivering pending effects.
 *
 * @param delivered the ids of the effects that were delivered now
 * @param left the effects whose handler failed; later effects of the same item wait for them
 */
public record Delivery(List<String> delivered, List<Left> left) {
    /** An effect that is still pending, and why. */
    public record Left(Effect effect, Exception why) {}

    public Delivery {
        delivered = List.copyOf(delivered);
        left = List.copyOf(left);
    }
}
