package dev.leasehold.git;

import dev.leasehold.internal.FenceText;
import dev.leasehold.internal.Fields;
import dev.leasehold.model.FenceState;
import org.jspecify.annotations.Nullable;

/**
 * The fence as it lies in the repository: a commit of an empty tree, whose message is what the fence remembers, and whose
 * parent is the fence before it. So {@code git log} of the fence tells every raise and push there was.
 *
 * @param id the commit's object id
 * @param text the commit as git keeps it
 * @param step counts the steps of this fence, for people
 */
record FenceCommit(String id, String text, FenceState state, long step) {
    private static final String HEADER = "leasehold fence 1";
    /** Nobody's name: whoever pushed is known to the host, and a machine in cron may not have an identity. */
    private static final String PERSON = "Leasehold <leasehold@localhost> ";

    /**
     * The text of the commit that follows.
     *
     * @param nonce makes it a commit of its own, even if somebody else writes the very same state at the same moment
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

    /** @throws IllegalArgumentException if it is not a commit that Leasehold wrote */
    static FenceCommit parse(String id, String text) {
        int message = text.indexOf("\n\n");
        if (message < 0) {
            throw new IllegalArgumentException("it has no message");
        }
        Fields fields = Fields.parse(HEADER, text.substring(message + 2));
        return new FenceCommit(id, text, FenceText.read(fields), fields.requireLong("step"));
    }
}
