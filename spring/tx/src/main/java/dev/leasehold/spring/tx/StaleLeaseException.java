package dev.leasehold.spring.tx;

import dev.leasehold.model.Admission;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Transfer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The transaction was rolled back, or the write of a {@link LeasedFence} refused, because it worked
 * under a lease that has been superseded. What it did counts for nothing.
 *
 * <p>Not a {@code TransactionException}: Spring takes that as a failure of the commit itself and does
 * not roll back.
 */
public final class StaleLeaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    static final String ROLLED_BACK = "the transaction was rolled back: ";

    private final transient Grant grant;
    private final transient @Nullable FencingToken supersededBy;

    /** @param what what happened, the begin of the message */
    StaleLeaseException(
            String what,
            Grant grant,
            Admission.Refused refused,
            Optional<Transfer> successor,
            @Nullable Throwable cause) {
        super(what + explanation(refused, successor), cause);
        this.grant = grant;
        this.supersededBy = refused instanceof Admission.Stale stale ? stale.raised() : null;
    }

    /** For refusals by another authority than a fence, such as the work ledger. */
    public StaleLeaseException(Grant grant, String explanation) {
        super(ROLLED_BACK + explanation);
        this.grant = grant;
        this.supersededBy = null;
    }

    private static String explanation(Admission.Refused refused, Optional<Transfer> successor) {
        String holder = refused instanceof Admission.Stale stale
                ? successor
                        .filter(transfer -> transfer.token().equals(stale.raised()))
                        .map(transfer -> ", held by " + transfer.holder() + " since " + transfer.at())
                        .orElse("")
                : "";
        return refused.explanation() + holder;
    }

    /** The grant under which the transaction worked. */
    public Grant grant() {
        return grant;
    }

    /** The higher token that the fence has seen; empty if it refused for another reason. */
    public Optional<FencingToken> supersededBy() {
        return Optional.ofNullable(supersededBy);
    }
}
