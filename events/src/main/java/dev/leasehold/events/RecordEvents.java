package dev.leasehold.events;

import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import java.util.HashMap;
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
    private final Map<LeaseName, Known> known = new HashMap<>();

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

    /** Passes over what happened so far. */
    void skip() {
        forEach((name, version) -> known.put(name, new Known(version, start)));
    }

    void read(Consumer<Event> found) {
        forEach((name, version) -> {
            Known before = known.getOrDefault(name, new Known("", start));
            if (!version.equals(before.version)) {
                known.put(name, new Known(version, read(name, before.latest, found)));
            }
        });
    }

    private interface Step {
        void take(LeaseName name, String version);
    }

    private void forEach(Step step) {
        String after = "";
        Map<LeaseName, String> page;
        do {
            page = versions.page(after, PAGE);
            for (Map.Entry<LeaseName, String> record : page.entrySet()) {
                step.take(record.getKey(), record.getValue());
                after = record.getKey().value();
            }
        } while (page.size() == PAGE);
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
