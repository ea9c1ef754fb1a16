package dev.leasehold.events;

import dev.leasehold.jobs.JobRecord;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.jobs.JobStart;
import dev.leasehold.jobs.OpenSlot;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What is wrong in a store right now: slots that are overdue, and holders that are stuck. */
public final class Conditions {
    private static final int PAGE = 500;

    private final LeaseStore store;
    private final JobRecords jobs;
    private final RunLog runs;
    private final Duration tolerance;

    /** @param tolerance how late a slot may be before it is overdue */
    public Conditions(LeaseStore store, Duration tolerance) {
        this.store = store;
        this.jobs = new JobRecords(store.register());
        this.runs = new RunLog(store.register());
        this.tolerance = tolerance;
    }

    /**
     * Looks at all jobs and leases.
     *
     * @param damaged is told of each record that cannot be read; it does not hide the others
     */
    public List<Alert> read(Consumer<String> damaged) {
        List<Alert> found = new ArrayList<>();
        for (LeaseName job : jobs.all()) {
            readable(damaged, () -> addOverdue(job, found));
        }
        LeasePages pages = new LeasePages(store, damaged);
        while (pages.hasNext()) {
            pages.next().forEach(lease -> addStuck(lease, found));
        }
        return found;
    }

    private static void readable(Consumer<String> damaged, Runnable step) {
        try {
            step.run();
        } catch (StoreCorruptException e) {
            damaged.accept(String.valueOf(e.getMessage()));
        }
    }

    /** Whether the store knows a job, a lease or runs of this name. */
    public boolean knows(LeaseName name) {
        return jobs.read(name).isPresent()
                || store.inspect(name).isPresent()
                || !runs.of(name).newestFirst().isEmpty();
    }

    /** Looks at one job or lease. */
    public List<Alert> read(LeaseName name) {
        List<Alert> found = new ArrayList<>();
        addOverdue(name, found);
        store.inspect(name).ifPresent(lease -> addStuck(lease, found));
        return found;
    }

    /** The refusals of stale tokens that are not older than this, of all names. */
    public List<Alert> refusals(Duration within, Consumer<String> damaged) {
        Instant since = EventReader.now(store).minus(within);
        List<Alert> found = new ArrayList<>();
        String after = "";
        List<LeaseName> page;
        do {
            page = runs.names(after, PAGE);
            for (LeaseName name : page) {
                readable(damaged, () -> found.addAll(refusalsSince(name, since)));
                after = name.value();
            }
        } while (page.size() == PAGE);
        return found;
    }

    /** The refusals of one name. */
    public List<Alert> refusals(LeaseName name, Duration within) {
        return refusalsSince(name, EventReader.now(store).minus(within));
    }

    private List<Alert> refusalsSince(LeaseName name, Instant since) {
        return StoredEvents.of(name, runs.of(name)).stream()
                .filter(event ->
                        event.type() == Event.Type.REFUSED && event.at().isAfter(since))
                .flatMap(event -> Alert.of(event).stream())
                .toList();
    }

    private static void addStuck(LeaseSnapshot lease, List<Alert> found) {
        LeaseRecord record = lease.lease();
        LeaseRecord.Progress progress = record.progress();
        if (progress != null && lease.isStuck()) {
            found.add(new Alert(
                    Alert.Kind.STUCK,
                    id(Alert.Kind.STUCK, record.name(), record.token() + "/" + progress.at()),
                    progress.at(),
                    record.name(),
                    record.token(),
                    record.owner().holder(),
                    null,
                    "renews its lease, but its last progress was "
                            + DurationText.show(seconds(progress.at(), lease.readAt())) + " ago"));
        }
    }

    private void addOverdue(LeaseName job, List<Alert> found) {
        JobRecords.Snapshot page = jobs.read(job).orElse(null);
        if (page == null) {
            return;
        }
        JobRecord record = page.record();
        page.overdueSlot().ifPresent(slot -> addIfLate(job, slot, slot, page.at(), "has not begun", found));
        for (JobStart start : record.starts()) {
            if (start.waiting()) {
                addIfLate(job, start.slot(), start.slot(), page.at(), "was started by hand and has not begun", found);
            }
        }
        for (OpenSlot slot : record.open()) {
            OpenSlot.Run run = slot.run();
            if (run == null) {
                addIfLate(job, slot.slot(), slot.notBefore(), page.at(), "is queued and has not begun", found);
            } else {
                Optional<LeaseSnapshot> lease = store.inspect(slot.lease());
                boolean gone = lease.isEmpty()
                        || !lease.get().lease().token().equals(run.token())
                        || lease.get().state() == LeaseSnapshot.State.EXPIRED;
                Instant since = lease.map(seen -> seen.lease().deadline()).orElse(run.since());
                if (gone) {
                    addIfLate(
                            job, slot.slot(), since, page.at(), "has lost its runner, and nobody continues it", found);
                }
            }
        }
    }

    private void addIfLate(LeaseName job, Instant slot, Instant due, Instant now, String what, List<Alert> found) {
        if (due.plus(tolerance).isBefore(now)) {
            found.add(new Alert(
                    Alert.Kind.OVERDUE,
                    id(Alert.Kind.OVERDUE, job, slot),
                    due,
                    job,
                    null,
                    null,
                    slot,
                    "slot " + slot + " " + what + ", " + DurationText.show(seconds(due, now)) + " after it was due"));
        }
    }

    private static Duration seconds(Instant from, Instant to) {
        return Duration.ofSeconds(Math.max(0, Duration.between(from, to).toSeconds()));
    }

    private static String id(Alert.Kind kind, LeaseName name, Object which) {
        return kind.word() + "/" + name + "/" + which;
    }
}
