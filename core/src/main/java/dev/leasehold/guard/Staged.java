package dev.leasehold.guard;

import java.io.IOException;

/** What a writer brought, durable and not yet in place: made before the fence is locked, since that may be slow. */
interface Staged {
    /** What tells it from other content; empty where nobody asked for it. */
    String digest();

    /**
     * Under the lock, right before the decision: makes sure that it can be carried out, and answers the words in which the
     * fence will remember it. {@link FenceStep#complete} must be able to act on them after a crash.
     */
    String decide(FenceStep step, boolean once) throws IOException;

    /** Under the lock, after it is in place. */
    default void settle(FenceStep step) throws IOException {}

    /** After the lock was let go: what is slow and harms nobody if it is never done. */
    default void tidy() {}

    /** It was refused. */
    void discard();
}
