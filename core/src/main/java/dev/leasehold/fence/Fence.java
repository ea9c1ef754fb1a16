package dev.leasehold.fence;

import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;

/**
 * A target that refuses stale tokens.
 *
 * @param <W> what is written
 */
public interface Fence<W> {
    /** Tells the target of the grant, before the first read of the work: from then on older tokens are refused. */
    Admission raise(Grant grant);

    /** Writes if no higher token has been seen, in one step with the check. One grant may write many times. */
    Admission admit(Grant grant, W write);

    /**
     * Writes once for each grant; the same write again answers {@link Admission.AlreadyWritten}. A crash between check and
     * write cannot use up the one write.
     */
    Admission admitOnce(Grant grant, W write);
}
