package dev.leasehold.fence;

import java.io.IOException;

/** What a writer brought, durable and not yet in place: made before the fence is locked, since that may be slow. */
interface Staged {
    /** What tells it from other content; empty where nobody asked for it. */
    String digest();

    /**
     * Under the lock, right before the decision: answers the words in which the fence will remember it. Whoever opens the
     * next {@link FenceStep} must be able to act on them after a crash.
     */
    String decide(FenceStep step, boolean once) throws IOException;

    /** Under the lock, right after the decision: puts it in place. If it fails the target is as it was. */
    void put(FenceStep step) throws IOException;

    /** Under the lock, if it could not be put in place: removes what became visible of it. */
    default void takeBack(FenceStep step) throws IOException {}

    /** Under the lock, after it is in place: makes that durable, and known to the fence where it must be. */
    void settle(FenceStep step) throws IOException;

    /** After the lock was let go: what is slow and harms nobody if it is never done. */
    default void tidy() {}

    /** It was refused, or could not be put in place. */
    void discard();
}
