package dev.leasehold.git;

import dev.leasehold.internal.FenceText;
import dev.leasehold.internal.Fields;
import dev.leasehold.model.FenceState;
import org.jspecify.annotations.Nullable;

/**
 * One state of a fence in the repository: a commit of an empty tree. Its message holds the {@link
 * FenceState}, its parent is the state before. So {@code git log} of the fence lists every raise
 * and every push.
 *
 * @param id the commit's object id
 * @param text the commit object as git stores it
 * @param step the number of this commit in the fence's history, for people
 */
record FenceCommit(String id, String text, FenceState state, long step) {
    private static final String HEADER = "leasehold fence 1";
    /** A fixed author: the host knows who pushed, and a cron machine may have no git identity. */
    private static final String PERSON = "Leasehold <leasehold@localhost> ";

    /**
     * The text of the next commit.
     *
     * @param nonce makes the commit unique, even if another writer records the same state at the
     *     same moment
     */
    static String next(
            @Nullable FenceCommit parent, String emptyTree, FenceState state, String nonce, long epochSeconds) {
        Fields message = FenceText.write(HEADER, state)
                .put("step", parent == null ? 1 : parent.step + 1)
                .put("nonce", nonce);
        return "tree " + emptyTree + "\n"
                + (parent == null ? "" : "parent " + parent.id + "\n")
                + "author " + PERSON + epochSeconds + " +0000\n"
                + "committer " + PERSON + epochSeconds + " +0000\n\n"
                + message.format();
    }

    /** @throws IllegalArgumentException if Leasehold did not write this commit */
    static FenceCommit parse(String id, String text) {
        int message = text.indexOf("\n\n");
        if (message < 0) {
            throw new IllegalArgumentException("it has no message");
        }
        Fields fields = Fields.parse(HEADER, text.substring(message + 2));
        return new FenceCommit(id, text, FenceText.read(fields), fields.requireLong("step"));
    }
}
