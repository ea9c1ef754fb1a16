package dev.leasehold.internal;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.Note;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import java.time.Instant;

/**
 * A transfer as a line of text: token, time, reason, attempt, length of the holder, then holder and
 * note. Holder and note may contain blanks, so they come last, separated by the length.
 */
public final class TransferText {
    private TransferText() {}

    public static String format(Transfer t) {
        String note = t.note() == null ? "" : t.note().value();
        String holder = t.holder().value();
        return Words.join(t.token(), t.at(), t.reason().word(), t.attempt(), holder.length(), holder + note);
    }

    /** @throws IllegalArgumentException if {@link #format} did not write the line */
    public static Transfer parse(String line) {
        Words words = new Words("a line of history", line);
        FencingToken token = words.token();
        Instant at = words.instant();
        TransferReason reason = TransferReason.ofWord(words.word());
        AttemptId attempt = AttemptId.of(words.word());
        Holder holder = Holder.of(words.counted());
        String note = words.rest();
        return new Transfer(token, attempt, holder, reason, note.isEmpty() ? null : Note.of(note), at);
    }
}
