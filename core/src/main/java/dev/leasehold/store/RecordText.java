package dev.leasehold.store;

import dev.leasehold.internal.Fields;
import dev.leasehold.internal.TransferText;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.Note;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A lease record as text, with or without its history. Parsing throws IllegalArgumentException if
 * the text is damaged.
 */
final class RecordText {
    private static final String HEADER = "leasehold lease 1";
    private static final String FORGOTTEN = "leasehold forgotten 1";

    private RecordText() {}

    static String format(LeaseRecord record, List<Transfer> history) {
        Fields fields = new Fields(HEADER)
                .put("name", record.name())
                .put("token", record.token())
                .put("attempt", record.owner().attempt())
                .put("holder", record.owner().holder())
                .put("reason", record.owner().reason().word())
                .put("note", record.owner().note())
                .put("acquired", record.owner().at())
                .put("deadline", record.deadline())
                .put("term-micros", record.term())
                .put("released", record.released())
                .put("seen", record.seen());
        LeaseRecord.Progress progress = record.progress();
        if (progress != null) {
            fields.put("progress-at", progress.at())
                    .put("progress-note", progress.note())
                    .put("checkpoint", progress.checkpoint());
        }
        for (Transfer transfer : history) {
            fields.put("history", TransferText.format(transfer));
        }
        return fields.format();
    }

    static LeaseRecord parse(String text) {
        Fields fields = Fields.parse(HEADER, text);
        Transfer owner = new Transfer(
                FencingToken.parse(fields.require("token")),
                AttemptId.of(fields.require("attempt")),
                Holder.of(fields.require("holder")),
                TransferReason.ofWord(fields.require("reason")),
                fields.optional("note", Note::of),
                fields.requireInstant("acquired"));
        Instant progressAt = fields.optional("progress-at", Fields::instant);
        LeaseRecord.Progress progress = progressAt == null
                ? null
                : new LeaseRecord.Progress(
                        fields.optional("progress-note", Note::of),
                        fields.optional("checkpoint", Checkpoint::of),
                        progressAt);
        return new LeaseRecord(
                LeaseName.of(fields.require("name")),
                owner,
                fields.requireInstant("deadline"),
                fields.requireMicros("term-micros"),
                parseBoolean(fields.require("released")),
                fields.requireInstant("seen"),
                progress);
    }

    /** Takes the place of a record whose name was forgotten, until its files are removed. */
    static String forgotten(FencingToken token) {
        return new Fields(FORGOTTEN).put("token", token).format();
    }

    static boolean isForgotten(String text) {
        return text.startsWith(FORGOTTEN);
    }

    /** The last token of a forgotten name. */
    static long forgottenToken(String text) {
        return Fields.parse(FORGOTTEN, text).requireLong("token");
    }

    /** Unlike Boolean.parseBoolean, refuses other words than true and false. */
    private static boolean parseBoolean(String word) {
        if (!word.equals("true") && !word.equals("false")) {
            throw new IllegalArgumentException("'released' is neither true nor false");
        }
        return word.equals("true");
    }

    static List<Transfer> parseHistory(String text) {
        List<Transfer> history = new ArrayList<>();
        for (String line : Fields.parse(HEADER, text).all("history")) {
            history.add(TransferText.parse(line));
        }
        return history;
    }
}
