package dev.leasehold.events;

import dev.leasehold.jobs.JobRecords;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads what happened in a store, of all its clients. Nothing is written for it: events are derived
 * from the histories of leases, the log of runs and the records of slots, by asking now and then
 * which of them have changed.
 *
 * <p>Events are returned in the order of the store's time, and two seconds late, so that a write
 * that took a while is in its place. A reader that continues at the {@link #position} of another
 * one returns each event that the other did not, unless it became visible later than that.
 *
 * <p>Every method may throw {@link dev.leasehold.model.StoreUnavailableException} and can then be
 * called again. For use by one thread at a time.
 */
public final class EventReader {
    /** How long a write may take until its event could be missed by a reader that takes over. */
    static final Duration SETTLING = Duration.ofSeconds(2);

    /** More events than this are not kept in memory at once. The oldest are left out. */
    static final int MOST_AT_ONCE = 50_000;

    /** A key that is never written. Reading it tells the store's time. */
    private static final String CLOCK = "events-clock";

    private final LeaseStore store;
    private final LeaseEvents leases;
    private final RecordEvents runs;
    private final RecordEvents slots;
    /** Events that are not yet two seconds old. */
    private final TreeSet<Event> settling = new TreeSet<>(Comparator.comparing(Event::position));

    private EventPosition position;
    /** The latest event that was left out; null if none was since the last call. */
    private @Nullable Event leftOut;

    private EventReader(LeaseStore store, EventPosition start) {
        this.store = store;
        this.leases = new LeaseEvents(store, start);
        RunLog log = new RunLog(store.register());
        this.runs = new RecordEvents(log::versions, name -> StoredEvents.of(name, log.of(name)), start);
        JobRecords jobs = new JobRecords(store.register());
        this.slots = new RecordEvents(jobs::versions, name -> StoredEvents.of(name, jobs.read(name)), start);
        this.position = start;
    }

    /** Reads what happens from now on. */
    public static EventReader fromNow(LeaseStore store) {
        // The store's clock may be coarse: what happens next may have the time of now.
        Instant before = now(store).minus(1, ChronoUnit.MICROS);
        EventReader reader = new EventReader(store, EventPosition.endOf(before));
        reader.leases.skip();
        reader.runs.skip();
        reader.slots.skip();
        return reader;
    }

    /** Reads what happened after a position, as far as the store still keeps it. */
    public static EventReader after(LeaseStore store, EventPosition position) {
        return new EventReader(store, position);
    }

    /** The store's time. */
    public static Instant now(LeaseStore store) {
        return store.register().read(CLOCK).at();
    }

    /** Everything up to here was returned. */
    public EventPosition position() {
        return position;
    }

    /** How many names are remembered, for tests: names that the store has forgotten are not. */
    int names() {
        return leases.names() + runs.names() + slots.names();
    }

    /** What happened since the last call, except in the last two seconds. */
    public List<Event> read() {
        Instant settled = now(store).minus(SETTLING);
        leases.read(this::add);
        runs.read(this::add);
        slots.read(this::add);
        List<Event> due = new ArrayList<>();
        if (leftOut != null) {
            due.add(StoredEvents.missed(leftOut.name(), leftOut.at()));
            leftOut = null;
        }
        while (!settling.isEmpty() && !settling.first().at().isAfter(settled)) {
            due.add(settling.pollFirst());
        }
        EventPosition reached = EventPosition.endOf(settled);
        position = reached.isAfter(position) ? reached : position;
        return due;
    }

    private void add(Event event) {
        settling.add(event);
        if (settling.size() > MOST_AT_ONCE) {
            leftOut = settling.pollFirst();
        }
    }
}
