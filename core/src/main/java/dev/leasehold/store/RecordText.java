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
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A lease record as text, with or without its history. Parsing throws IllegalArgumentException if
 * the text is damaged.
 */
final class RecordText {
    private static final String HEADER = "leasehold lease 1";
    private static final String FORGOTTEN = "leasehold forgotten 1";
    private static final String PAST = "leasehold history 1";
    private static final String HISTORY = "history";
    private static final String START_OF_LINE = "\n" + HISTORY + "=";
    private static final String HISTORY_FROM = "history-from";
    private static final String WRITTEN = "written";

    private RecordText() {}

    static String format(LeaseRecord record, List<Transfer> history) {
        return format(record, null, history);
    }

    /** The text of a record whose older transfers are elsewhere, from this token on: see {@link PastTransfers}. */
    static String formatAfterMove(LeaseRecord record, long from) {
        return format(record, Long.toString(from), List.of(record.owner()));
    }

    private static String format(LeaseRecord record, @Nullable String historyFrom, List<Transfer> history) {
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
        fields.put(HISTORY_FROM, historyFrom);
        for (Transfer transfer : history) {
            fields.put(HISTORY, TransferText.format(transfer));
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

    /**
     * The text of a record that follows another one, with its history. The lines of the history stay text: to read and
     * write all of them in each step would take longer than the rest of it.
     *
     * @param before the text of the record that is replaced
     * @param latest the transfer that the step adds to the history; null if it adds none
     * @param most how many transfers are kept
     */
    static String replace(String before, LeaseRecord record, @Nullable Transfer latest, int most) {
        StringBuilder text = new StringBuilder(before.length() + 200);
        text.append(format(record, value(HISTORY_FROM, before), latest == null ? List.of() : List.of(latest)));
        int from = startOfHistory(before);
        int end = from;
        for (int kept = latest == null ? 0 : 1; kept < most && end < before.length(); kept++) {
            int newLine = before.indexOf('\n', end);
            end = newLine < 0 ? before.length() : newLine + 1;
        }
        return text.append(before, from, end).toString();
    }

    /** The text of the record without its history, which is read only if somebody asks for it. */
    static String withoutHistory(String text) {
        return text.substring(0, startOfHistory(text));
    }

    /** The lines of the history are the last ones. No value contains a line break. */
    private static int startOfHistory(String text) {
        int lineBreak = text.indexOf(START_OF_LINE);
        return lineBreak < 0 ? text.length() : lineBreak + 1;
    }

    private static @Nullable String value(String key, String text) {
        String start = "\n" + key + "=";
        int lineBreak = text.indexOf(start);
        int end = lineBreak < 0 ? -1 : text.indexOf('\n', lineBreak + 1);
        return end < 0 ? null : text.substring(lineBreak + start.length(), end);
    }

    /** The token from which on older transfers of the name are in {@link PastTransfers}; none if they never moved. */
    static OptionalLong historyFrom(String text) {
        String from = value(HISTORY_FROM, text);
        return from == null ? OptionalLong.empty() : OptionalLong.of(Fields.number(from));
    }

    /** The text of a record with the time of day at which it is written. No rule uses it. */
    static String dated(String text, Instant at) {
        int header = HEADER.length() + 1;
        return text.substring(0, header) + WRITTEN + "=" + Fields.micros(at) + "\n" + text.substring(header);
    }

    /** The time of day at which a record was written, by the clock of its writer; empty if it has none. */
    static Optional<Instant> written(String text) {
        return Optional.ofNullable(value(WRITTEN, text)).map(Fields::instant);
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
        return transfers(Fields.parse(HEADER, text));
    }

    static int countHistory(String text) {
        int count = 0;
        for (int at = text.indexOf(START_OF_LINE); at >= 0; at = text.indexOf(START_OF_LINE, at + 1)) {
            count++;
        }
        return count;
    }

    /** The text with transfers that the record itself no longer has. */
    static String formatPast(Collection<String> lines) {
        Fields fields = new Fields(PAST);
        for (String line : lines) {
            fields.put(HISTORY, line);
        }
        return fields.format();
    }

    static List<Transfer> parsePast(String text) {
        return transfers(Fields.parse(PAST, text));
    }

    private static List<Transfer> transfers(Fields fields) {
        List<Transfer> transfers = new ArrayList<>();
        for (String line : fields.all(HISTORY)) {
            transfers.add(TransferText.parse(line));
        }
        return transfers;
    }

    /**
     * The lines of the history of a record, or of older transfers, by token, latest first. Leaves out what is damaged: a
     * lease must not stay taken because its history cannot be read.
     */
    static NavigableMap<Long, String> readableHistory(String text) {
        NavigableMap<Long, String> lines = new TreeMap<>(Comparator.reverseOrder());
        for (String line : text.substring(startOfHistory(text)).split("\n", -1)) {
            try {
                for (Transfer transfer : parsePast(PAST + "\n" + line + "\n")) {
                    lines.put(transfer.token().value(), TransferText.format(transfer));
                }
            } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
                // Only this line is damaged.
            }
        }
        return lines;
    }
}
