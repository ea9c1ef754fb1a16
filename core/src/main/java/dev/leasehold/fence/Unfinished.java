package dev.leasehold.fence;

import dev.leasehold.internal.Fields;
import dev.leasehold.model.FencingToken;
import org.jspecify.annotations.Nullable;

/**
 * Somebody began to write a target in place and was not seen to end well: the target may be half written.
 *
 * @param worker the process that wrote; null as long as it was not known
 */
record Unfinished(FencingToken token, @Nullable WriterProcess worker) {
    /** For whoever comes next. */
    String warning(Object target) {
        return target + " may be half written: token " + token + " wrote it in place and was not seen to end well";
    }

    static Unfinished parse(String text) {
        String[] parts = text.split(" ", -1);
        FencingToken token = FencingToken.parse(parts[0]);
        return parts.length < 4
                ? new Unfinished(token, null)
                : new Unfinished(token, new WriterProcess(Fields.number(parts[1]), Fields.number(parts[2]), parts[3]));
    }

    @Override
    public String toString() {
        return worker == null
                ? token.toString()
                : token + " " + worker.pid() + " " + worker.started() + " " + worker.place();
    }
}
