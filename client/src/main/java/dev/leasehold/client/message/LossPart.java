package dev.leasehold.client.message;

import dev.leasehold.model.Loss;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why a grant is not current.
 *
 * @param by the owner that superseded this one
 * @param at when the lease was released
 * @param detail what the store says about a lease that lapsed or that it does not know
 */
public record LossPart(
        @Required String kind, @Nullable TransferPart by, @Nullable Instant at, @Nullable String detail) {
    public static LossPart of(Loss loss) {
        String kind = loss.kind().word();
        if (loss instanceof Loss.Superseded superseded) {
            return new LossPart(kind, TransferPart.of(superseded.by()), null, null);
        }
        if (loss instanceof Loss.Released released) {
            return new LossPart(kind, null, released.at(), null);
        }
        if (loss instanceof Loss.Forgotten forgotten) {
            return new LossPart(kind, null, null, forgotten.detail());
        }
        return new LossPart(kind, null, null, loss.explanation());
    }

    /** @throws IllegalArgumentException if this is a loss that a store cannot report */
    public Loss toLoss() {
        if (kind.equals(Loss.Kind.SUPERSEDED.word()) && by != null) {
            return new Loss.Superseded(by.toTransfer());
        }
        if (kind.equals(Loss.Kind.RELEASED.word()) && at != null) {
            return new Loss.Released(at);
        }
        if (kind.equals(Loss.Kind.LAPSED.word()) && detail != null) {
            return new Loss.Lapsed(detail);
        }
        if (kind.equals(Loss.Kind.FORGOTTEN.word()) && detail != null) {
            return new Loss.Forgotten(detail);
        }
        throw new IllegalArgumentException("unknown kind of loss: " + kind);
    }
}
