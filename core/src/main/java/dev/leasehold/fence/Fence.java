package dev.leasehold.fence;

import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;

/**
 * A target that refuses stale tokens.
 *
 * @param <W> what is written
 */
public interface Fence<W> {
    /**
     * Raises the fence to the grant's token. Call it before the first read of the work: from then
     * on older tokens are refused.
     */
    Admission raise(Grant grant);

    /**
     * Binds the target to the store of this grant, because the store to which it is bound was lost
     * or given up. The grant must be above every token that the target has seen. A target that is
     * bound to this store is only raised.
     *
     * @throws TargetUnavailableException if the target was never guarded, or cannot be reached
     */
    Admission rebind(Grant grant);

    /**
     * Checks the token and writes, in one step. The write is refused if a higher token was seen. A
     * grant may write many times.
     */
    Admission admit(Grant grant, W write);

    /**
     * Writes once per grant. The same write again returns {@link Admission.AlreadyWritten}, another
     * one {@link Admission.OnceUsed}. A crash between check and write does not use up the write.
     */
    Admission admitOnce(Grant grant, W write);
}
