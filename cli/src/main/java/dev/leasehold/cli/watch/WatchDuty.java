package dev.leasehold.cli.watch;

import dev.leasehold.Lease;
import dev.leasehold.cli.child.Hook;
import dev.leasehold.cli.output.Console;
import dev.leasehold.events.Alert;
import dev.leasehold.events.Conditions;
import dev.leasehold.events.Event;
import dev.leasehold.events.EventPosition;
import dev.leasehold.events.EventReader;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Tells what goes wrong in a store, for as long as this process has the lease of the watch. */
final class WatchDuty {
    private static final int MOST_TRIES = 3;
    private static final Duration AHEAD = Duration.ofMinutes(10);
    private static final long LOOK_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long SAVE_NANOS = Duration.ofMinutes(1).toNanos();

    private final LeaseStore store;
    private final Lease lease;
    private final Set<Alert.Kind> kinds;
    private final Conditions conditions;
    private final Hook hook;
    private final Console console;
    private final WatchRecord record;
    private final EventReader reader;

    private List<Alert> current = List.of();
    private boolean unreachable;
    private boolean damaged;
    private long lookedAt;
    private long savedAt = System.nanoTime();

    WatchDuty(LeaseStore store, Lease lease, Set<Alert.Kind> kinds, Conditions conditions, Hook hook, Console console) {
        this.store = store;
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

    /** Looks once and tells what is new. False if another watch has taken over. */
    boolean look() throws InterruptedException {
        try {
            List<Alert> alerts = new ArrayList<>();
            for (Event event : reader.read()) {
                Alert.of(event).filter(alert -> concerns(event, alert)).ifPresent(alerts::add);
            }
            if (System.nanoTime() - lookedAt >= LOOK_NANOS) {
                current = readable();
                lookedAt = System.nanoTime();
                current.stream().filter(alert -> kinds.contains(alert.kind())).forEach(alerts::add);
            }
            unreachable = false;
            return tellAll(alerts);
        } catch (StoreUnavailableException e) {
            if (!unreachable) {
                console.error("the store does not answer, so nothing can be told until it does: " + e.getMessage());
            }
            unreachable = true;
            return lease.isTrusted();
        }
    }

    /** A record that is damaged must not silence the watch. */
    private List<Alert> readable() {
        try {
            return conditions.read();
        } catch (StoreCorruptException e) {
            if (!damaged) {
                console.error("not everything can be watched: " + e.getMessage());
            }
            damaged = true;
            return current;
        }
    }

    private boolean concerns(Event event, Alert alert) {
        boolean repeated = event.type() == Event.Type.ENDED && alert.kind() == Alert.Kind.FAILED && isScheduled(event);
        return kinds.contains(alert.kind())
                && !alert.name().equals(lease.grant().name())
                // The outcome of its slot is told, once, after the last retry.
                && !repeated;
    }

    private boolean isScheduled(Event event) {
        return store.register().read("slots/" + event.name()).value().isPresent();
    }

    private boolean tellAll(List<Alert> alerts) throws InterruptedException {
        boolean told = false;
        for (Alert alert : alerts) {
            if (!record.wasTold(alert.id())) {
                if (!lease.isTrusted()) {
                    return false;
                }
                tell(alert);
                told = true;
                if (!record.tell(alert.id())) {
                    return false;
                }
            }
        }
        if (told || System.nanoTime() - savedAt >= SAVE_NANOS) {
            savedAt = System.nanoTime();
            Set<String> still = new HashSet<>();
            current.forEach(alert -> still.add(alert.id()));
            return record.moveTo(reader.position(), still);
        }
        return true;
    }

    private void tell(Alert alert) throws InterruptedException {
        String text = AlertViews.json(alert).toString();
        String problem = hook.run(text);
        for (int tried = 1; problem != null && tried < MOST_TRIES; tried++) {
            Thread.sleep(1000L * tried);
            problem = hook.run(text);
        }
        if (problem == null) {
            console.say("told: " + AlertViews.line(alert));
        } else {
            console.error("not told, after " + MOST_TRIES + " tries (the command: " + problem + "): "
                    + AlertViews.line(alert));
        }
    }
}
