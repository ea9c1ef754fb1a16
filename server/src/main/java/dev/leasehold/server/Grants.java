package dev.leasehold.server;

import dev.leasehold.client.message.GrantPart;
import dev.leasehold.client.message.LossPart;
import dev.leasehold.client.message.ProblemAnswer;
import dev.leasehold.client.message.ProblemType;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Transfer;
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
     * Refuses a grant that the store never issued: a token that is too high would lock everybody out
     * until the counter has reached it, and another attempt would lock out the holder of the token.
     * Null if the store has issued it.
     */
    @Nullable
    Answer refuseNeverIssued(Grant grant) {
        for (Transfer transfer : store.history(grant.name(), LeaseStore.HISTORY_KEPT)) {
            if (transfer.token().equals(grant.token())) {
                return grant.agreesWith(transfer.attempt())
                        ? null
                        : stale(grant, new Loss.Forgotten("the store knows " + grant + " from another attempt"));
            }
            if (transfer.token().isBelow(grant.token())) {
                break;
            }
        }
        return stale(grant, Loss.Forgotten.neverIssued(grant));
    }

    static Answer stale(Grant grant, Loss loss) {
        return Answer.problem(ProblemAnswer.of(ProblemType.STALE, grant + " is not current: " + loss.explanation())
                .withLoss(LossPart.of(loss)));
    }
}
