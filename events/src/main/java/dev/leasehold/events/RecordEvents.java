package dev.leasehold.events;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** The events in records of the register, one for each name. Only a record that has changed is read. */
final class RecordEvents {
    private static final int PAGE = 500;

    /** Asks for the names after a name, with the versions of their records, in order. */
    interface Versions {
        Map<LeaseName, String> page(String after, int limit);
    }

    private final Versions versions;
    private final Function<LeaseName, List<Event>> reading;
    private final EventPosition start;
    private final NameMemory<Known> known = new NameMemory<>();

    /**
     * A record that was seen.
     *
     * @param latest the event up to which its events were read
     */
    private record Known(String version, EventPosition latest) {}

    /** @param reading the events of a name, newest first */
    RecordEvents(Versions versions, Function<LeaseName, List<Event>> reading, EventPosition start) {
        this.versions = versions;
        this.reading = reading;
        this.start = start;
    }

    /** How many names are remembered. */
    int names() {
        return known.size();
    }

    /** Passes over what happened so far. */
    void skip() {
        forEach((name, version) -> known.put(name, new Known(version, start)));
    }

    void read(Consumer<Event> found) {
        forEach((name, version) -> {
            Known before = known.seen(name);
            if (before == null || !version.equals(before.version)) {
                EventPosition latest = before == null ? start : before.latest;
                known.put(name, new Known(version, read(name, latest, found)));
            }
        });
    }

    private interface Step {
        void take(LeaseName name, String version);
    }

    private void forEach(Step step) {
        known.begin();
        String after = "";
        Map<LeaseName, String> page;
        do {
            page = versions.page(after, PAGE);
            for (Map.Entry<LeaseName, String> record : page.entrySet()) {
                step.take(record.getKey(), record.getValue());
                after = record.getKey().value();
            }
        } while (page.size() == PAGE);
        known.end(name -> reading.apply(name).isEmpty());
    }

    /** Returns the latest event. */
    private EventPosition read(LeaseName name, EventPosition latest, Consumer<Event> found) {
        List<Event> newestFirst;
        try {
            newestFirst = reading.apply(name);
        } catch (StoreCorruptException e) {
            // 'leasehold doctor' reports it. It must not hide the others.
            return latest;
        }
        EventPosition reached = latest;
        for (Event event : newestFirst) {
            if (event.position().isAfter(latest)) {
                found.accept(event);
                reached = event.position().isAfter(reached) ? event.position() : reached;
            }
        }
        return reached;
    }
}
