package dev.leasehold.cli.watch;

import dev.leasehold.Lease;
import dev.leasehold.cli.child.Hook;
import dev.leasehold.cli.output.Console;
import dev.leasehold.events.Alert;
import dev.leasehold.events.Conditions;
import dev.leasehold.events.Event;
import dev.leasehold.events.EventPosition;
import dev.leasehold.events.EventReader;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Tells what goes wrong in a store, for as long as this process has the lease of the watch. */
final class WatchDuty {
    private static final int MOST_TRIES = 3;
    private static final int MOST_DAMAGE_SHOWN = 100;
    private static final Duration AHEAD = Duration.ofMinutes(10);
    private static final long LOOK_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long SAVE_NANOS = Duration.ofMinutes(1).toNanos();

    private final JobRecords jobs;
    private final Lease lease;
    private final Set<Alert.Kind> kinds;
    private final Conditions conditions;
    private final Hook hook;
    private final Console console;
    private final BooleanSupplier stop;
    private final WatchRecord record;
    private final EventReader reader;

    /** What was read and not yet looked at: the reader does not return it again. */
    private final Deque<Event> unread = new ArrayDeque<>();

    private final Deque<Alert> untold = new ArrayDeque<>();
    private final Set<String> damage = new HashSet<>();
    private List<Alert> current = List.of();
    private boolean unreachable;
    private long lookedAt;
    private long savedAt = System.nanoTime();

    /** @param stop whether the watch is to end, also in the middle of a command */
    WatchDuty(
            LeaseStore store,
            Lease lease,
            Set<Alert.Kind> kinds,
            Conditions conditions,
            Hook hook,
            Console console,
            BooleanSupplier stop) {
        this.stop = stop;
        this.jobs = new JobRecords(store.register());
        this.lease = lease;
        this.kinds = kinds;
        this.conditions = conditions;
        this.hook = hook;
        this.console = console;
        this.record = new WatchRecord(store.register(), lease.grant().name());
        EventPosition position = record.position();
        if (position != null && position.at().isAfter(EventReader.now(store).plus(AHEAD))) {
            console.error("the clock of the store was set back: what happened until now is not told");
            position = null;
        }
        this.reader = position == null ? EventReader.fromNow(store) : EventReader.after(store, position);
        if (position == null) {
            // From now on nothing is missed, even if this process ends at once.
            record.moveTo(reader.position(), Set.of());
        }
        this.lookedAt = System.nanoTime() - LOOK_NANOS;
    }

    /** Looks once and tells what is new. False if another watch has taken over, or this one is stopped. */
    boolean look() throws InterruptedException {
        try {
            if (untold.isEmpty() && unread.isEmpty()) {
                unread.addAll(reader.read());
            }
            while (!unread.isEmpty()) {
                Event event = unread.peek();
                Alert.of(event).filter(alert -> concerns(event, alert)).ifPresent(untold::add);
                unread.remove();
            }
            if (System.nanoTime() - lookedAt >= LOOK_NANOS) {
                lookAtConditions();
            }
            unreachable = false;
            return tellAll();
        } catch (StoreUnavailableException e) {
            if (!unreachable) {
                console.error("the store does not answer, so nothing can be told until it does: " + e.getMessage());
            }
            unreachable = true;
            return lease.isTrusted();
        }
    }

    private void lookAtConditions() {
        current = readable();
        lookedAt = System.nanoTime();
        for (Alert alert : current) {
            if (kinds.contains(alert.kind()) && !record.wasTold(alert.id()) && !untold.contains(alert)) {
                untold.add(alert);
            }
        }
    }

    /** A record that is damaged must not silence the watch. */
    private List<Alert> readable() {
        return conditions.read(what -> {
            if (damage.add(what) && damage.size() <= MOST_DAMAGE_SHOWN) {
                console.error("not everything can be watched: " + what);
            }
        });
    }

    private boolean concerns(Event event, Alert alert) {
        boolean repeated = event.type() == Event.Type.ENDED && alert.kind() == Alert.Kind.FAILED && isScheduled(event);
        return kinds.contains(alert.kind())
                && !alert.name().equals(lease.grant().name())
                // The outcome of its slot is told, once, after the last retry.
                && !repeated;
    }

    /** If that cannot be read, the outcome of the slot cannot either, so the end of the run is told. */
    private boolean isScheduled(Event event) {
        try {
            return jobs.read(event.name()).isPresent();
        } catch (StoreCorruptException e) {
            return false;
        }
    }

    /** Untold alerts stay for the next look if the store fails in between. */
    private boolean tellAll() throws InterruptedException {
        boolean told = false;
        while (!untold.isEmpty()) {
            Alert alert = untold.peek();
            if (!record.wasTold(alert.id())) {
                if (record.isFull()) {
                    console.error("so much is wrong that this cannot be told: " + AlertViews.line(alert));
                } else if (!tell(alert) || !record.tell(alert.id())) {
                    return false;
                }
                told = true;
            }
            untold.remove();
        }
        if (told || System.nanoTime() - savedAt >= SAVE_NANOS) {
            savedAt = System.nanoTime();
            Set<String> still = new HashSet<>();
            current.forEach(alert -> still.add(alert.id()));
            return record.moveTo(reader.position(), still);
        }
        return true;
    }

    /** False if it may not be told by this watch any longer. */
    private boolean tell(Alert alert) throws InterruptedException {
        String text = AlertViews.json(alert).toString();
        String problem = "";
        for (int tried = 0; problem != null && tried < MOST_TRIES; tried++) {
            if (tried > 0) {
                Thread.sleep(1000L * tried);
            }
            if (!lease.isTrusted() || stop.getAsBoolean()) {
                return false;
            }
            problem = hook.run(text, stop);
        }
        if (stop.getAsBoolean() && problem != null) {
            return false;
        }
        if (problem == null) {
            console.say("told: " + AlertViews.line(alert));
        } else {
            console.error("not told, after " + MOST_TRIES + " tries (the command: " + problem + "): "
                    + AlertViews.line(alert));
        }
        return true;
    }
}
