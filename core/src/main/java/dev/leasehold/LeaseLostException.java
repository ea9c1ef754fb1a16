package dev.leasehold;

import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;

/**
 * The lease is lost, and the work must stop. Thrown by {@link Lease#requireTrusted()}, and by {@link
 * Leases#adopt} for a grant that is not current.
 */
public final class LeaseLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Loss loss;

    LeaseLostException(Grant grant, Loss loss) {
        super("lease " + grant + " is lost: " + loss.explanation());
        this.loss = loss;
    }

    public Loss loss() {
        return loss;
    }
}
