package dev.leasehold.internal;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.Note;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;

/**
 * A transfer as a line of text: token, time, reason, attempt, length of the holder, then holder and
 * note. Holder and note may contain blanks, so they come last, separated by the length.
 */
public final class TransferText {
    private TransferText() {}

    public static String format(Transfer t) {
        String note = t.note() == null ? "" : t.note().value();
        String holder = t.holder().value();
        return t.token() + " " + Fields.micros(t.at()) + " " + t.reason().word() + " " + t.attempt() + " "
                + holder.length() + " " + holder + note;
    }

    /** @throws IllegalArgumentException if {@link #format} did not write the line */
    public static Transfer parse(String line) {
        String[] parts = line.split(" ", 6);
        if (parts.length < 6) {
            throw new IllegalArgumentException("a line of history is cut off");
        }
        int holderLength = Fields.smallNumber(parts[4]);
        if (holderLength < 0 || holderLength > parts[5].length()) {
            throw new IllegalArgumentException("a line of history has a wrong length");
        }
        String note = parts[5].substring(holderLength);
        return new Transfer(
                FencingToken.parse(parts[0]),
                AttemptId.of(parts[3]),
                Holder.of(parts[5].substring(0, holderLength)),
                TransferReason.ofWord(parts[2]),
                note.isEmpty() ? null : Note.of(note),
                Fields.instant(parts[1]));
    }
}
