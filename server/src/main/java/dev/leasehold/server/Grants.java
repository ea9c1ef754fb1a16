package dev.leasehold.server;

import dev.leasehold.client.message.GrantPart;
import dev.leasehold.client.message.LossPart;
import dev.leasehold.client.message.ProblemAnswer;
import dev.leasehold.client.message.ProblemType;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;
import dev.leasehold.spi.LeaseStore;
import org.jspecify.annotations.Nullable;

/** The grants that clients show. */
final class Grants {
    private final LeaseStore store;

    Grants(LeaseStore store) {
        this.store = store;
    }

    /** @throws BadRequestException if the grant is of another store, or not for this caller */
    Grant of(ApiRequest request, GrantPart part) {
        Grant grant = part.toGrant();
        request.caller().require(grant.name());
        if (grant.store() != null && !grant.store().equals(store.id())) {
            throw new BadRequestException(
                    ProblemType.WRONG_STORE,
                    grant + " was granted by store " + grant.store() + ", but this is store " + store.id()
                            + ": nothing was changed. The store was lost and created again, or this is another server");
        }
        return grant;
    }

    /**
     * Refuses a token that the store never issued: it would lock everybody out until the counter has
     * reached it. Null if the store has issued it.
     */
    @Nullable
    Answer refuseNeverIssued(Grant grant) {
        FencingToken issued =
                store.inspect(grant.name()).map(lease -> lease.lease().token()).orElse(null);
        return issued != null && !issued.isBelow(grant.token())
                ? null
                : stale(grant, Loss.Forgotten.neverIssued(grant));
    }

    static Answer stale(Grant grant, Loss loss) {
        return Answer.problem(ProblemAnswer.of(ProblemType.STALE, grant + " is not current: " + loss.explanation())
                .withLoss(LossPart.of(loss)));
    }
}
