package dev.leasehold.testkit.nemesis;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.LeaseStore;

/**
 * The lease for which holders compete and the target that they rewrite, as one of their processes
 * sees them. Methods throw {@link TargetUnavailableException} if there is no answer, which means
 * that the outcome is unknown.
 */
public interface ContestedTarget extends AutoCloseable {
    LeaseStore store();

    Admission raise(Grant grant);

    /** The whole content; empty if nothing was written yet. */
    String read();

    /** Replaces the whole content if the grant is not stale. */
    Admission admit(Grant grant, String content);

    /**
     * Replaces the whole content without a fence, for any caller. Durable when it returns.
     */
    void overwrite(String content);

    @Override
    void close();
}
