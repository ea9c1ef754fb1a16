package dev.leasehold.events;

import dev.leasehold.jobs.JobRecords;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Transfer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The events that the records of a store describe. */
final class StoredEvents {
    private static final String LEASE = "lease";
    private static final String RUN = "run";
    private static final String SLOT = "slot";

    private StoredEvents() {}

    static EventPosition position(LeaseName name, Transfer transfer) {
        return EventPosition.of(transfer.at(), LEASE, transfer.token().value(), name);
    }

    static Event of(LeaseName name, Transfer transfer) {
        Event.Type type =
                switch (transfer.reason()) {
                    case CANCELLED -> Event.Type.CANCELLED;
                    case RECOVERED -> Event.Type.RECOVERED;
                    default -> Event.Type.ACQUIRED;
                };
        return new Event(
                position(name, transfer),
                type,
                name,
                transfer.token(),
                transfer.holder(),
                transfer.reason().word(),
                transfer.note() == null ? "" : transfer.note().value(),
                null);
    }

    static List<Event> of(LeaseName name, RunLog.Summary log) {
        List<Event> events = new ArrayList<>();
        for (RunEntry entry : log.newestFirst()) {
            events.add(new Event(
                    EventPosition.of(entry.at(), RUN, 0, name),
                    type(entry.kind()),
                    name,
                    entry.token(),
                    entry.holder(),
                    entry.kind(),
                    entry.detail(),
                    null));
        }
        return events;
    }

    private static Event.Type type(String kind) {
        if (kind.startsWith("lost_")) {
            return Event.Type.LOST;
        }
        return switch (kind) {
            case "skipped_overlap" -> Event.Type.SKIPPED;
            case JobMoves.PAUSED -> Event.Type.PAUSED;
            case JobMoves.RESUMED -> Event.Type.RESUMED;
            case JobMoves.STARTED -> Event.Type.STARTED;
            case "stale_refused", "strict_refused", "target_refused" -> Event.Type.REFUSED;
            default -> Event.Type.ENDED;
        };
    }

    static List<Event> of(LeaseName job, Optional<JobRecords.Snapshot> page) {
        List<Event> events = new ArrayList<>();
        for (Outcome outcome : page.map(found -> found.record().outcomes()).orElse(List.of())) {
            events.add(new Event(
                    EventPosition.of(
                            outcome.at(), SLOT, Math.max(0, outcome.from().toEpochMilli()), job),
                    Event.Type.SLOT,
                    job,
                    outcome.token(),
                    null,
                    outcome.kind().word(),
                    outcome.reason(),
                    outcome.from()));
        }
        return events;
    }

    /** Tells that events before this moment are no longer kept. */
    static Event missed(LeaseName name, Instant before) {
        return new Event(
                EventPosition.of(before, Event.Type.MISSED.word(), 0, name),
                Event.Type.MISSED,
                name,
                null,
                null,
                Event.Type.MISSED.word(),
                "events before this moment are missing: the store no longer keeps them, or there were too many at once",
                null);
    }
}
