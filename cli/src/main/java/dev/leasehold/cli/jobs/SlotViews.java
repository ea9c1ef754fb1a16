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
import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The slots of a job, as text and as JSON. */
public final class SlotViews {
    private SlotViews() {}

    public static List<String> lines(LeaseName name, JobRecords.Snapshot page, int limit) {
        JobRecord record = page.record();
        List<String> lines = new ArrayList<>();
        JobRecord.Known known =
                record.schedules().isEmpty() ? null : record.schedules().get(0);
        String schedule = known == null ? "no schedule yet" : SafeText.escape(known.cron() + " " + known.zone());
        lines.add(name + ": " + schedule
                + next(page).map(at -> ", next slot " + RelativeTime.at(at)).orElse(""));
        Pause pause = record.pause();
        if (pause != null) {
            lines.add("  paused " + RelativeTime.ago(pause.since(), page.at()) + " by " + pause.by() + ": "
                    + pause.reason());
        }
        for (JobStart start : record.starts()) {
            if (start.waiting()) {
                lines.add("  " + RelativeTime.at(start.slot()) + " started by " + start.by()
                        + ", waits for a machine that runs the job");
            }
        }
        for (OpenSlot open : record.open()) {
            String by = record.startAt(open.slot())
                    .map(start -> ", started by " + start.by())
                    .orElse("");
            lines.add("  " + RelativeTime.at(open.slot()) + " " + state(open, page.at()) + by);
        }
        List<Outcome> latest =
                record.outcomes().subList(0, Math.min(limit, record.outcomes().size()));
        if (!latest.isEmpty()) {
            table(latest).lines().forEach(line -> lines.add("  " + line));
        }
        if (!record.counters().isEmpty()) {
            List<String> counts = new ArrayList<>();
            record.counters().forEach((kind, count) -> counts.add(count + " " + kind));
            counts.sort(null);
            lines.add("  Since the first slot: " + String.join(", ", counts) + ".");
        }
        return lines;
    }

    private static String state(OpenSlot open, Instant now) {
        OpenSlot.Run run = open.run();
        String attempt = open.attempt() == 1 ? "" : ", attempt " + open.attempt();
        if (run != null) {
            return "running for " + RelativeTime.age(run.since(), now) + " by " + run.holder() + ", token "
                    + run.token() + attempt;
        }
        return open.notBefore().isAfter(now)
                ? "waiting until " + RelativeTime.at(open.notBefore()) + attempt
                : "queued" + attempt;
    }

    private static Table table(List<Outcome> newestFirst) {
        Table table = new Table("SLOT", "WHAT", "TOKEN", "TRY", "TOOK", "REASON");
        for (Outcome outcome : newestFirst) {
            String slots = outcome.slots() == 1
                    ? RelativeTime.at(outcome.from())
                    : RelativeTime.at(outcome.from()) + " to " + RelativeTime.at(outcome.to()) + " (" + outcome.slots()
                            + ")";
            table.row(
                    slots,
                    outcome.kind().word(),
                    outcome.token() == null ? "-" : outcome.token().toString(),
                    outcome.attempt() == 0 ? "-" : Integer.toString(outcome.attempt()),
                    outcome.attempt() == 0 ? "-" : DurationText.show(outcome.took()),
                    SafeText.escape(outcome.reason()));
        }
        return table;
    }

    /** When the job is due next, by the schedule that a machine last recorded. */
    private static Optional<Instant> next(JobRecords.Snapshot page) {
        return page.schedule().flatMap(schedule -> schedule.nextAfter(page.at()));
    }

    public static Json json(LeaseName name, JobRecords.Snapshot page, int limit) {
        JobRecord record = page.record();
        Json json = new Json().put("job", name);
        if (!record.schedules().isEmpty()) {
            json.put("schedule", record.schedules().get(0).cron())
                    .put("zone", record.schedules().get(0).zone());
        }
        json.put("next", next(page).orElse(null)).put("watermark", record.watermark());
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
            outcomes.add(json(outcome));
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

    private static Json json(Outcome outcome) {
        Json json = new Json()
                .put("slot", outcome.from())
                .put("to", outcome.to())
                .put("slots", outcome.slots())
                .put("outcome", outcome.kind().word())
                .put("reason", outcome.reason())
                .put("at", outcome.at());
        if (outcome.token() != null) {
            json.put("token", outcome.token().value());
        }
        return json.put("attempt", outcome.attempt()).put("durationMs", outcome.took());
    }
}
