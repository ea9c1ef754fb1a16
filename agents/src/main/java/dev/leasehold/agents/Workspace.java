package dev.leasehold.agents;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The files that agents edit, and the copies of their versions. */
public interface Workspace {
    /** The hash of a file that does not exist. */
    String ABSENT = "absent";

    /**
     * Finds the file that an agent means.
     *
     * @throws Refusal if the path cannot be understood
     */
    FilePlace locate(String cwd, String path) throws Refusal;

    /** The same file for all worktrees of its repository; null if there is no repository. */
    @Nullable
    FilePlace acrossWorktrees(FilePlace place);

    /**
     * The content; null if the file does not exist.
     *
     * @throws Refusal if it is not a regular file, or cannot be read
     */
    byte @Nullable [] content(FilePlace place) throws Refusal;

    /** The hash of a content. */
    String hash(byte @Nullable [] content);

    /** Changes whenever the file changes, as far as a look at its attributes can tell. */
    String stamp(FilePlace place);

    /**
     * Keeps a copy of a version that was written under a lease, and remembers it as the last one of the
     * file, unless one with a higher token of the same store is known. Best effort: a copy that cannot be
     * kept does not stop an edit.
     */
    void keep(FilePlace place, Version version, byte[] content);

    /** The last version of the file that was written under a lease; null if none is known. */
    @Nullable
    Version last(FilePlace place);

    /** Where the copy of a version is; null if there is none. */
    @Nullable
    String copy(Version version);

    /** Forgets the last version, when the tokens of its lease start anew. */
    void forget(FilePlace place);

    /**
     * A version that was written under a lease.
     *
     * @param store where the token counts
     * @param holder who wrote it, for people
     */
    record Version(String store, long token, String hash, String holder, Instant at) {
        /** Whether it was written after the other one, or at least not before. */
        boolean follows(@Nullable Version other) {
            return other == null || !other.store.equals(store) || other.token <= token;
        }
    }
}
