package dev.leasehold.jdbc;

import dev.leasehold.internal.Fields;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.Note;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.LeaseStore;
import java.util.List;

/**
 * Transfers as lines of text, newest first: token, time, reason, attempt, length of the holder, then holder and note, which
 * may contain anything but a line's end. Beyond the lines that are kept there may be one that is cut off.
 */
final class HistoryText {
    private HistoryText() {}

    static List<Transfer> parse(String text, int limit) {
        return text.lines()
                .limit(Math.min(limit, LeaseStore.HISTORY_KEPT))
                .map(HistoryText::transfer)
                .toList();
    }

    private static Transfer transfer(String line) {
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
