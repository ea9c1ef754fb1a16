package dev.leasehold.work;

import java.util.List;

/**
 * What became of the effects that were waiting.
 *
 * @param delivered the ids of those that were delivered now
 * @param left those that were not, each with what its handler said; the effects after it of the same item wait with it
 */
public record Delivery(List<String> delivered, List<Left> left) {
    /** An effect that is still to be delivered. */
    public record Left(Effect effect, Exception why) {}

    public Delivery {
        delivered = List.copyOf(delivered);
        left = List.copyOf(left);
    }
}
