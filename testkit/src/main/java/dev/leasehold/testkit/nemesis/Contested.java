package dev.leasehold.testkit.nemesis;

import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import dev.leasehold.spi.LeaseStore;

/**
 * What holders compete for and what they rewrite, as one of their processes sees it. Where something is not answered, its
 * methods throw {@link TargetUnavailableException}, which means that the outcome is unknown.
 */
public interface Contested extends AutoCloseable {
    LeaseStore store();

    Admission raise(Grant grant);

    /** The whole content; empty if nothing was written yet. */
    String read();

    /** Replaces the whole content if the grant is not stale. */
    Admission admit(Grant grant, String content);

    /** What people do without a fence: replaces the whole content, whoever asks. Durable when it returns. */
    void overwrite(String content);

    @Override
    void close();
}
