package dev.leasehold.cli.jobs;

import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.cli.output.Table;
import dev.leasehold.events.RelativeTime;
import dev.leasehold.jobs.JobRecord;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.jobs.JobStart;
import dev.leasehold.jobs.OpenSlot;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.jobs.Pause;
import dev.leasehold.jobs.Schedule;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseName;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The slots of a job, as text and as JSON. */
public final class SlotViews {
    private static final Duration TAKEN_UP_WITHIN = Duration.ofSeconds(10);

    private SlotViews() {}

    public static List<String> lines(LeaseName name, JobRecords.Snapshot page, int limit, FailedOutput outputs) {
        ZoneId zone = page.schedule().map(Schedule::zone).orElse(ZoneOffset.UTC);
        JobRecord record = page.record();
        List<String> lines = new ArrayList<>();
        JobRecord.Known known =
                record.schedules().isEmpty() ? null : record.schedules().get(0);
        String schedule = known == null ? "no schedule yet" : SafeText.escape(known.cron() + " " + known.zone());
        lines.add(name + ": " + schedule
                + next(page).map(at -> ", next slot " + at(at, zone)).orElse(""));
        overdue(page)
                .ifPresent(
                        since -> lines.add(
                                "  OVERDUE since " + at(since, zone) + " ("
                                        + RelativeTime.age(since, page.at())
                                        + "): no machine has taken this slot up. Is 'leasehold up' running, with this job in its file?"));
        Pause pause = record.pause();
        if (pause != null) {
            lines.add("  paused " + RelativeTime.ago(pause.since(), page.at()) + " by " + pause.by() + ": "
                    + pause.reason());
        }
        addOpen(page, zone, lines);
        List<Outcome> latest =
                record.outcomes().subList(0, Math.min(limit, record.outcomes().size()));
        if (!latest.isEmpty()) {
            addOutcomes(latest, zone, outputs, lines);
        }
        if (!record.counters().isEmpty()) {
            List<String> counts = new ArrayList<>();
            record.counters().forEach((kind, count) -> counts.add(count + " " + kind));
            counts.sort(null);
            lines.add("  Since the first slot: " + String.join(", ", counts) + ".");
        }
        return lines;
    }

    /** The slots that wait or run. */
    private static void addOpen(JobRecords.Snapshot page, ZoneId zone, List<String> lines) {
        JobRecord record = page.record();
        for (JobStart start : record.starts()) {
            if (start.waiting()) {
                lines.add("  " + at(start.slot(), zone) + " started by " + start.by()
                        + ", waits for a machine that runs the job");
            }
        }
        for (OpenSlot open : record.open()) {
            String by = record.startAt(open.slot())
                    .map(start -> ", started by " + start.by())
                    .orElse("");
            lines.add("  " + at(open.slot(), zone) + " " + state(open, page.at(), zone) + by);
        }
    }

    private static String state(OpenSlot open, Instant now, ZoneId zone) {
        OpenSlot.Run run = open.run();
        String attempt = open.attempt() == 1 ? "" : ", attempt " + open.attempt();
        if (run != null) {
            return "running for " + RelativeTime.age(run.since(), now) + " by " + run.holder() + ", token "
                    + run.token() + attempt;
        }
        return open.notBefore().isAfter(now)
                ? "waiting until " + at(open.notBefore(), zone) + attempt
                : "queued for " + RelativeTime.age(open.notBefore(), now) + attempt;
    }

    /** Each outcome, and below one that failed the last lines of its output. */
    private static void addOutcomes(List<Outcome> latest, ZoneId zone, FailedOutput outputs, List<String> lines) {
        List<String> rows = table(latest, zone).lines();
        lines.add("  " + rows.get(0));
        for (int i = 0; i < latest.size(); i++) {
            lines.add("  " + rows.get(i + 1));
            outputs.of(latest.get(i)).forEach(line -> lines.add("    | " + SafeText.escape(line)));
        }
    }

    private static Table table(List<Outcome> newestFirst, ZoneId zone) {
        Table table = new Table("SLOT", "WHAT", "TOKEN", "TRY", "TOOK", "BY", "REASON");
        for (Outcome outcome : newestFirst) {
            String slots = outcome.slots() == 1
                    ? at(outcome.from(), zone)
                    : at(outcome.from(), zone) + " to " + at(outcome.to(), zone) + " (" + outcome.slots() + ")";
            table.row(
                    slots,
                    outcome.kind().word(),
                    outcome.token() == null ? "-" : outcome.token().toString(),
                    outcome.attempt() == 0 ? "-" : Integer.toString(outcome.attempt()),
                    outcome.attempt() == 0 ? "-" : DurationText.show(outcome.took()),
                    outcome.holder() == null ? "-" : outcome.holder().value(),
                    SafeText.escape(outcome.reason()));
        }
        return table;
    }

    /** To the second, in the zone of the job. */
    private static String at(Instant instant, ZoneId zone) {
        return SlotLog.at(instant.truncatedTo(ChronoUnit.SECONDS), zone);
    }

    /** Since when a slot is due that no machine has taken up. A machine needs a moment for it. */
    private static Optional<Instant> overdue(JobRecords.Snapshot page) {
        return page.overdue().compareTo(TAKEN_UP_WITHIN) > 0 ? page.overdueSlot() : Optional.empty();
    }

    /** When the job is due next, by the schedule that a machine last recorded. */
    private static Optional<Instant> next(JobRecords.Snapshot page) {
        return page.schedule().flatMap(schedule -> schedule.nextAfter(page.at()));
    }

    public static Json json(LeaseName name, JobRecords.Snapshot page, int limit, FailedOutput outputs) {
        JobRecord record = page.record();
        Json json = new Json().put("job", name);
        if (!record.schedules().isEmpty()) {
            json.put("schedule", record.schedules().get(0).cron())
                    .put("zone", record.schedules().get(0).zone());
        }
        json.put("next", next(page).orElse(null)).put("watermark", record.watermark());
        overdue(page).ifPresent(since -> json.put("overdueSince", since));
        Pause pause = record.pause();
        if (pause != null) {
            json.put(
                    "paused",
                    new Json().put("since", pause.since()).put("by", pause.by()).put("reason", pause.reason()));
        }
        List<Json> open = new ArrayList<>();
        for (JobStart start : record.starts()) {
            if (start.waiting()) {
                open.add(new Json()
                        .put("slot", start.slot())
                        .put("state", "asked")
                        .put("startedBy", start.by()));
            }
        }
        for (OpenSlot entry : record.open()) {
            Json shown = json(entry);
            record.startAt(entry.slot()).ifPresent(start -> shown.put("startedBy", start.by()));
            open.add(shown);
        }
        List<Json> outcomes = new ArrayList<>();
        for (Outcome outcome :
                record.outcomes().subList(0, Math.min(limit, record.outcomes().size()))) {
            outcomes.add(json(outcome, outputs.of(outcome)));
        }
        return json.put("open", open).put("outcomes", outcomes).put("counters", record.counters());
    }

    private static Json json(OpenSlot open) {
        Json json = new Json()
                .put("slot", open.slot())
                .put("state", open.isQueued() ? "queued" : "running")
                .put("lease", open.lease())
                .put("attempt", open.attempt());
        OpenSlot.Run run = open.run();
        return run == null
                ? json.put("notBefore", open.notBefore())
                : json.put("token", run.token().value())
                        .put("holder", run.holder())
                        .put("since", run.since());
    }

    private static Json json(Outcome outcome, List<String> printed) {
        Json json =
                new Json().put("slot", outcome.from()).put("at", outcome.at()).putAll(details(outcome));
        return printed.isEmpty() ? json : json.put("output", printed);
    }

    /** The fields of an outcome beside its slot and the time. */
    static Json details(Outcome outcome) {
        Json json = new Json()
                .put("to", outcome.to())
                .put("slots", outcome.slots())
                .put("outcome", outcome.kind().word())
                .put("reason", outcome.reason());
        if (outcome.token() != null) {
            json.put("token", outcome.token().value());
        }
        if (outcome.holder() != null) {
            json.put("holder", outcome.holder());
        }
        return json.put("attempt", outcome.attempt()).put("durationMs", outcome.took());
    }
}
