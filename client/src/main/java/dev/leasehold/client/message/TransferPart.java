package dev.leasehold.client.message;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.Note;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A change of ownership. */
public record TransferPart(
        @Required long token,
        @Required String attempt,
        @Required String holder,
        @Required String reason,
        @Nullable String note,
        @Required Instant at) {
    /** What readers see instead of an attempt. */
    static final String HIDDEN = "hidden-from-readers";

    public static TransferPart of(Transfer transfer) {
        Note note = transfer.note();
        return new TransferPart(
                transfer.token().value(),
                transfer.attempt().value(),
                transfer.holder().value(),
                transfer.reason().word(),
                note == null ? null : note.value(),
                transfer.at());
    }

    /** For those who may look and not act: with its attempt, this would be a whole grant. */
    public TransferPart withoutAttempt() {
        return new TransferPart(token, HIDDEN, holder, reason, note, at);
    }

    public Transfer toTransfer() {
        return new Transfer(
                FencingToken.of(token),
                AttemptId.of(attempt),
                Holder.of(holder),
                TransferReason.ofWord(reason),
                note == null ? null : Note.of(note),
                at);
    }
}
