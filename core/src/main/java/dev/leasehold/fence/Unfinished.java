package dev.leasehold.fence;

import dev.leasehold.internal.Words;
import dev.leasehold.model.FencingToken;
import org.jspecify.annotations.Nullable;

/**
 * A write in place that began and is not known to have succeeded, so the target may be
 * half written.
 *
 * @param worker the writing process; null if it is not known
 */
record Unfinished(FencingToken token, @Nullable WriterProcess worker) {
    /** The warning for the next user of the target. */
    String warning(Object target) {
        return target + " may be half written: token " + token
                + " began to write it in place and is not known to have finished";
    }

    static Unfinished parse(String text) {
        Words words = new Words("the unfinished write", text);
        FencingToken token = words.token();
        return words.left() < 3
                ? new Unfinished(token, null)
                : new Unfinished(token, new WriterProcess(words.number(), words.number(), words.word()));
    }

    @Override
    public String toString() {
        return worker == null ? token.toString() : Words.join(token, worker.pid(), worker.started(), worker.place());
    }
}
