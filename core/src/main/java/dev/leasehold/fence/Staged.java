package dev.leasehold.fence;

import dev.leasehold.model.FencingToken;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Content that is durable and not yet in place. It is staged before the fence is locked, because
 * that may be slow.
 */
interface Staged {
    /** The digest of the content; empty if none was requested. */
    String digest();

    /**
     * Called under the lock, before the commit point. Returns the text that the fence records
     * as pending. After a crash, {@link TargetKind#complete} must be able to complete the
     * write from it.
     */
    String prepare(FenceStep step, boolean once) throws IOException;

    /**
     * The file that {@link #put} puts in place, to notice later changes by other programs; null for
     * a target that is not watched.
     */
    default Placement.@Nullable Artifact placed(FencingToken token) throws IOException {
        return null;
    }

    /**
     * Called under the lock, after the commit point. Puts the content in place. If this fails, the
     * target is unchanged.
     */
    void put(FenceStep step) throws IOException;

    /** Called under the lock, if {@link #put} failed. Removes what became visible. */
    default void undo(FenceStep step) throws IOException {}

    /**
     * Called under the lock, after {@link #put}. Makes the result durable and records it in the
     * fence if necessary.
     */
    void finish(FenceStep step) throws IOException;

    /** Called after the lock is released. Does slow work that may also never happen. */
    default void cleanUp() {}

    /** Deletes the content after the write was refused or withdrawn. */
    void discard();
}
