package dev.leasehold.server;

import dev.leasehold.events.Event;
import dev.leasehold.events.EventPosition;
import dev.leasehold.events.EventReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The latest events of a store, numbered in the order in which they were read. */
final class RecentEvents {
    static final int MOST = 10_000;
    private static final long FORGOTTEN = -1;

    private final Supplier<List<Event>> reading;
    private final Supplier<EventPosition> position;
    private final List<Event> events = new ArrayList<>();
    /** The number of the first of them. */
    private long first;
    /** Everything that happened after this is among them. */
    private EventPosition since;

    RecentEvents(EventReader reader) {
        this(reader::read, reader::position);
    }

    /**
     * @param reading what has happened since the last call
     * @param position up to where everything was read
     */
    RecentEvents(Supplier<List<Event>> reading, Supplier<EventPosition> position) {
        this.reading = reading;
        this.position = position;
        this.since = position.get();
    }

    /** Asks the store what has happened. */
    void read() {
        events.addAll(reading.get());
        int surplus = events.size() - MOST;
        if (surplus > 0) {
            for (Event forgotten : events.subList(0, surplus)) {
                // An event that became visible late is not the latest of them.
                since = forgotten.position().isAfter(since) ? forgotten.position() : since;
            }
            events.subList(0, surplus).clear();
            first += surplus;
        }
    }

    /** Everything up to here was read. */
    EventPosition position() {
        return position.get();
    }

    /** The number that the next event will have. */
    long end() {
        return first + events.size();
    }

    /** The number of the first event after a position. If that was forgotten, a number that was, too. */
    long after(EventPosition position) {
        if (since.isAfter(position)) {
            return FORGOTTEN;
        }
        int index = 0;
        while (index < events.size() && !events.get(index).position().isAfter(position)) {
            index++;
        }
        return first + index;
    }

    boolean remembers(long number) {
        return number >= first;
    }

    List<Event> from(long number) {
        return List.copyOf(events.subList((int) (number - first), events.size()));
    }
}
