package dev.leasehold.client.message;

import dev.leasehold.model.Grant;
import dev.leasehold.model.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One result for each lease of a {@link RenewCall}, in its order. */
public record RenewAnswer(@Required List<Result> results) {
    private static final String RENEWED = "renewed";
    private static final String UNKNOWN = "unknown";

    /**
     * The result for one lease.
     *
     * @param outcome {@code renewed}, {@code unknown} (renew it again), or the kind of the loss
     * @param by the owner that superseded this one
     * @param at when the lease was released
     */
    public record Result(
            @Required String name,
            @Required long token,
            @Required String outcome,
            @Nullable Long expiresInMs,
            @Nullable TransferPart by,
            @Nullable Instant at,
            @Nullable String detail) {
        public static Result of(Grant grant, Renewal renewal) {
            String name = grant.name().value();
            long token = grant.token().value();
            if (renewal instanceof Renewal.Renewed renewed) {
                return new Result(name, token, RENEWED, Millis.down(renewed.remaining()), null, null, null);
            }
            if (renewal instanceof Renewal.NotRenewed not) {
                LossPart loss = LossPart.of(not.loss());
                return new Result(name, token, loss.kind(), null, loss.by(), loss.at(), loss.detail());
            }
            return new Result(name, token, UNKNOWN, null, null, null, ((Renewal.Unknown) renewal).why());
        }

        public Renewal toRenewal() {
            if (outcome.equals(RENEWED) && expiresInMs != null) {
                return new Renewal.Renewed(Duration.ofMillis(expiresInMs));
            }
            return outcome.equals(UNKNOWN)
                    ? new Renewal.Unknown(String.valueOf(detail))
                    : new Renewal.NotRenewed(new LossPart(outcome, by, at, detail).toLoss());
        }
    }
}
