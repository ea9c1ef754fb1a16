package dev.leasehold.jobs;

import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Words;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Formats and parses a job's record: one line per entry. A value that may contain blanks is the
 * last of its line.
 */
final class JobRecordText {
    private static final String HEADER = "leasehold slots 1";
    private static final String COUNTER = "count-";
    private static final String BY = "by";
    private static final int MAX_REASON = 200;

    private JobRecordText() {}

    static String format(JobRecord record) {
        Fields fields = new Fields(HEADER).put("watermark", record.watermark());
        for (JobRecord.Known known : record.schedules()) {
            fields.put("schedule", Words.join(known.since(), known.zone(), known.cron()));
        }
        Pause pause = record.pause();
        if (pause != null) {
            fields.put("paused", pause.since()).put("paused-by", pause.by()).put("paused-because", pause.reason());
        }
        for (JobStart start : record.starts()) {
            fields.put("start", line(start));
        }
        for (OpenSlot entry : record.open()) {
            fields.put("open", line(entry));
        }
        record.counters().forEach((kind, count) -> fields.put(COUNTER + kind, count));
        for (Outcome outcome : record.outcomes()) {
            fields.put("done", line(outcome));
        }
        // Beside the outcomes, not in them: earlier versions read the record too.
        for (Outcome outcome : record.outcomes()) {
            if (outcome.holder() != null) {
                fields.put(BY, Words.join(outcome.from(), outcome.holder()));
            }
        }
        return fields.format();
    }

    /** @throws IllegalArgumentException if the text is not what {@link #format} writes */
    static JobRecord parse(String text) {
        Fields fields = Fields.parse(HEADER, text);
        List<JobRecord.Known> schedules = new ArrayList<>();
        for (String line : fields.all("schedule")) {
            Words words = entry(line);
            Instant since = words.instant();
            String zone = words.word();
            schedules.add(new JobRecord.Known(words.rest(), zone, since));
        }
        List<OpenSlot> open = new ArrayList<>();
        for (String line : fields.all("open")) {
            open.add(openSlot(entry(line)));
        }
        List<JobStart> starts = new ArrayList<>();
        for (String line : fields.all("start")) {
            starts.add(start(entry(line)));
        }
        Map<Instant, Holder> machines = new HashMap<>();
        for (String line : fields.all(BY)) {
            Words words = entry(line);
            machines.put(words.instant(), Holder.of(words.rest()));
        }
        List<Outcome> outcomes = new ArrayList<>();
        for (String line : fields.all("done")) {
            Outcome outcome = outcome(entry(line));
            outcomes.add(outcome.attempt() == 0 ? outcome : outcome.by(machines.get(outcome.from())));
        }
        return new JobRecord(
                fields.requireInstant("watermark"),
                schedules,
                open,
                pause(fields),
                starts,
                outcomes,
                fields.numbersStartingWith(COUNTER));
    }

    private static Words entry(String line) {
        return new Words("an entry", line);
    }

    private static @Nullable Pause pause(Fields fields) {
        Instant since = fields.optional("paused", Fields::instant);
        return since == null
                ? null
                : new Pause(since, Holder.of(fields.require("paused-by")), Note.of(fields.require("paused-because")));
    }

    private static String line(JobStart start) {
        return Words.join(start.slot(), start.request(), start.waiting() ? "asked" : "decided", start.by());
    }

    private static JobStart start(Words words) {
        Instant slot = words.instant();
        AttemptId request = AttemptId.of(words.word());
        boolean waiting = words.isFirstOf("asked", "decided");
        return new JobStart(request, slot, waiting, Holder.of(words.rest()));
    }

    private static String line(OpenSlot entry) {
        OpenSlot.Run run = entry.run();
        return Words.join(
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

    private static OpenSlot openSlot(Words words) {
        Instant slot = words.instant();
        LeaseName lease = LeaseName.of(words.word());
        boolean supersedes = words.word().equals("supersede");
        int attempt = words.smallNumber();
        int failures = words.smallNumber();
        int deaths = words.smallNumber();
        Instant notBefore = words.instant();
        Instant notAfter = words.optional(Fields::instant);
        String token = words.word();
        Instant since = words.optional(Fields::instant);
        String holder = words.rest();
        OpenSlot.Run run = since == null ? null : new OpenSlot.Run(FencingToken.parse(token), Holder.of(holder), since);
        return new OpenSlot(slot, lease, supersedes, attempt, failures, deaths, notBefore, notAfter, run);
    }

    private static String line(Outcome outcome) {
        String reason = outcome.reason();
        return Words.join(
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

    private static Outcome outcome(Words words) {
        Instant from = words.instant();
        Instant to = words.instant();
        long slots = words.number();
        Outcome.Kind kind = Outcome.Kind.ofWord(words.word());
        FencingToken token = words.optional(FencingToken::parse);
        int attempt = words.smallNumber();
        Instant at = words.instant();
        Duration took = Duration.ofMillis(words.number());
        return new Outcome(from, to, slots, kind, words.rest(), token, attempt, at, took);
    }
}
