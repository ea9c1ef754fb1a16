package dev.leasehold;

import dev.leasehold.model.Grant;
import dev.leasehold.model.Loss;

/** Thrown by {@link Lease#requireTrusted()}: the lease is lost, and the work must stop. */
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
