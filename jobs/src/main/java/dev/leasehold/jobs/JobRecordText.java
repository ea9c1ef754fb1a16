package dev.leasehold.jobs;

import dev.leasehold.internal.Fields;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Formats and parses a job's record: one line per entry. A value that may contain blanks is the
 * last of its line.
 */
final class JobRecordText {
    private static final String HEADER = "leasehold slots 1";
    private static final String COUNTER = "count-";
    private static final String NOTHING = "-";
    private static final int MAX_REASON = 200;

    private JobRecordText() {}

    static String format(JobRecord record) {
        Fields fields = new Fields(HEADER).put("watermark", record.watermark());
        for (JobRecord.Known known : record.schedules()) {
            fields.put("schedule", words(known.since(), known.zone(), known.cron()));
        }
        Pause pause = record.pause();
        if (pause != null) {
            fields.put("paused", pause.since()).put("paused-by", pause.by()).put("paused-because", pause.reason());
        }
        for (OpenSlot entry : record.open()) {
            fields.put("open", line(entry));
        }
        record.counters().forEach((kind, count) -> fields.put(COUNTER + kind, count));
        for (Outcome outcome : record.outcomes()) {
            fields.put("done", line(outcome));
        }
        return fields.format();
    }

    /** @throws IllegalArgumentException if the text is not what {@link #format} writes */
    static JobRecord parse(String text) {
        Fields fields = Fields.parse(HEADER, text);
        List<JobRecord.Known> schedules = new ArrayList<>();
        for (String line : fields.all("schedule")) {
            String[] parts = parts(line, 3);
            schedules.add(new JobRecord.Known(parts[2], parts[1], Fields.instant(parts[0])));
        }
        List<OpenSlot> open = new ArrayList<>();
        for (String line : fields.all("open")) {
            open.add(openSlot(parts(line, 11)));
        }
        List<Outcome> outcomes = new ArrayList<>();
        for (String line : fields.all("done")) {
            outcomes.add(outcome(parts(line, 9)));
        }
        return new JobRecord(
                fields.requireInstant("watermark"),
                schedules,
                open,
                pause(fields),
                outcomes,
                fields.numbersStartingWith(COUNTER));
    }

    private static @Nullable Pause pause(Fields fields) {
        Instant since = fields.optional("paused", Fields::instant);
        return since == null
                ? null
                : new Pause(since, Holder.of(fields.require("paused-by")), Note.of(fields.require("paused-because")));
    }

    private static String line(OpenSlot entry) {
        OpenSlot.Run run = entry.run();
        return words(
                entry.slot(),
                entry.lease(),
                entry.supersedes() ? "supersede" : "turn",
                entry.attempt(),
                entry.failures(),
                entry.deaths(),
                entry.notBefore(),
                entry.notAfter(),
                run == null ? null : run.token(),
                run == null ? null : run.since(),
                run == null ? null : run.holder());
    }

    private static OpenSlot openSlot(String[] parts) {
        Instant since = instant(parts[9]);
        OpenSlot.Run run =
                since == null ? null : new OpenSlot.Run(FencingToken.parse(parts[8]), Holder.of(parts[10]), since);
        return new OpenSlot(
                Fields.instant(parts[0]),
                LeaseName.of(parts[1]),
                parts[2].equals("supersede"),
                Fields.smallNumber(parts[3]),
                Fields.smallNumber(parts[4]),
                Fields.smallNumber(parts[5]),
                Fields.instant(parts[6]),
                instant(parts[7]),
                run);
    }

    private static String line(Outcome outcome) {
        String reason = outcome.reason();
        return words(
                outcome.from(),
                outcome.to(),
                outcome.slots(),
                outcome.kind().word(),
                outcome.token(),
                outcome.attempt(),
                outcome.at(),
                outcome.took().toMillis(),
                reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON));
    }

    private static Outcome outcome(String[] parts) {
        return new Outcome(
                Fields.instant(parts[0]),
                Fields.instant(parts[1]),
                Fields.number(parts[2]),
                Outcome.Kind.ofWord(parts[3]),
                parts[8],
                parts[4].equals(NOTHING) ? null : FencingToken.parse(parts[4]),
                Fields.smallNumber(parts[5]),
                Fields.instant(parts[6]),
                Duration.ofMillis(Fields.number(parts[7])));
    }

    private static String words(@Nullable Object... words) {
        StringBuilder line = new StringBuilder();
        for (Object word : words) {
            line.append(line.length() == 0 ? "" : " ");
            if (word instanceof Instant instant) {
                line.append(Fields.micros(instant));
            } else {
                line.append(word == null ? NOTHING : word);
            }
        }
        return line.toString();
    }

    private static String[] parts(String line, int count) {
        String[] parts = line.split(" ", count);
        if (parts.length < count) {
            throw new IllegalArgumentException("an entry is cut off");
        }
        return parts;
    }

    private static @Nullable Instant instant(String text) {
        return text.equals(NOTHING) ? null : Fields.instant(text);
    }
}
