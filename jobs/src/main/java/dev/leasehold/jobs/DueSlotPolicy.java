package dev.leasehold.jobs;

import dev.leasehold.jobs.Outcome.Kind;
import dev.leasehold.model.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of the slots that have fallen due: pure, so that every machine that looks at the same record at the
 * same time decides the same, and only one of them gets to write it.
 */
final class DueSlotPolicy {
    /** Beyond this a job is so far behind that a longer queue would only make it worse. */
    static final int MAX_OPEN = 64;

    /** How late a slot may be and still count as on time, for a job that catches up with nothing. */
    static final Duration ON_TIME = Duration.ofMinutes(1);

    private final Job job;
    private final Instant now;
    private final Duration jitter;
    private JobRecord record;

    private DueSlotPolicy(Job job, JobRecord record, Instant now, Duration jitter) {
        this.job = job;
        this.record = record;
        this.now = now;
        this.jitter = jitter;
    }

    /**
     * The record with everything settled that was due by {@code now}; the same object if nothing was.
     *
     * @param now the store's time
     * @param jitter how much later than due the slots that are queued here are to start
     */
    static JobRecord settle(Job job, JobRecord record, Instant now, Duration jitter) {
        DueSlotPolicy settling = new DueSlotPolicy(job, record, now, jitter);
        settling.learnSchedule();
        if (settling.record.pause() != null) {
            settling.dropWhilePaused(settling.record.pause());
        } else {
            settling.giveUpWhatWaitedTooLong();
            settling.admitWhatIsDue();
        }
        return settling.record;
    }

    /** The record with its pause ended; what was due meanwhile is dropped. */
    static JobRecord resume(JobRecord record, Instant now) {
        Pause pause = record.pause();
        Optional<Schedule> schedule = record.schedules().stream().findFirst().flatMap(DueSlotPolicy::scheduleOf);
        if (pause == null || schedule.isEmpty()) {
            return record.withPause(null);
        }
        if (record.watermark().isAfter(now)) {
            // The store's clock was ahead and has been set right; only a person can say that slots may count again.
            return record.withWatermarkSetBack(now).withPause(null);
        }
        Instant due = schedule.get().latestUpTo(now).orElse(record.watermark());
        return dropped(record, schedule.get(), record.watermark(), now.plusNanos(1), whilePaused(pause), now)
                .withWatermark(due)
                .withPause(null);
    }

    private static String whilePaused(Pause pause) {
        return "paused by " + pause.by() + ": " + pause.reason();
    }

    /** A schedule counts from when it was first seen; what was due by the one before it and not settled is dropped. */
    private void learnSchedule() {
        if (record.known(job.schedule()).isPresent()) {
            return;
        }
        Optional<Schedule> before = record.schedules().stream().findFirst().flatMap(DueSlotPolicy::scheduleOf);
        before.ifPresent(old -> drop(old, record.watermark(), "its schedule was changed before it was run"));
        record = record.withSchedule(job.schedule(), now).withWatermark(now);
    }

    private static Optional<Schedule> scheduleOf(JobRecord.Known known) {
        try {
            return Optional.of(Schedule.of(known.cron(), Schedule.zone(known.zone())));
        } catch (IllegalArgumentException e) {
            // Written by a version that understood more than this one: nothing can be said of its slots.
            return Optional.empty();
        }
    }

    private void dropWhilePaused(Pause pause) {
        String reason = whilePaused(pause);
        for (OpenSlot queued : record.open()) {
            if (queued.wasNeverStarted()) {
                end(queued.slot(), Kind.DROPPED, reason);
            }
        }
        Instant after = dueAfter();
        if (!isAnythingDue(after)) {
            return;
        }
        drop(job.schedule(), after, reason);
        job.schedule().latestUpTo(now).ifPresent(slot -> record = record.withWatermark(slot));
    }

    private void giveUpWhatWaitedTooLong() {
        for (OpenSlot entry : record.open()) {
            Instant limit = entry.notAfter();
            if (entry.isQueued() && limit != null && now.isAfter(limit)) {
                Optional<OpenSlot> other = record.open().stream()
                        .filter(each -> each.slot().isBefore(entry.slot()))
                        .findFirst();
                String waited = "not started within " + DurationText.show(Duration.between(entry.slot(), limit));
                if (other.isPresent()) {
                    end(
                            entry.slot(),
                            Kind.SKIPPED,
                            waited + ": slot " + other.get().slot() + " had not ended");
                } else {
                    end(entry.slot(), Kind.DROPPED, waited);
                }
            }
        }
    }

    private Instant dueAfter() {
        Instant since = record.known(job.schedule()).map(JobRecord.Known::since).orElse(now);
        return since.isAfter(record.watermark()) ? since : record.watermark();
    }

    private void admitWhatIsDue() {
        Instant after = dueAfter();
        if (!isAnythingDue(after)) {
            return;
        }
        List<Instant> wanted = wanted(after);
        dropBefore(wanted.isEmpty() ? now.plusNanos(1) : wanted.get(0), after);
        job.schedule().latestUpTo(now).ifPresent(newest -> record = record.withWatermark(newest));
        // Slots that were missed together run one after the other; an overlap is with what was there before them.
        List<OpenSlot> before = record.open();
        for (Instant slot : wanted) {
            if (before.isEmpty()) {
                queue(slot, null, false);
            } else {
                overlapping(slot, before.get(before.size() - 1));
            }
        }
    }

    private boolean isAnythingDue(Instant after) {
        return job.schedule()
                .nextAfter(after)
                .filter(slot -> !slot.isAfter(now))
                .isPresent();
    }

    /** The due slots that are to be run, oldest first. */
    private List<Instant> wanted(Instant after) {
        List<Instant> latest =
                job.schedule().latest(after, now, Math.max(1, job.catchUp().latest()));
        List<Instant> wanted = new ArrayList<>(latest);
        Duration limit = job.startWithin();
        Duration window = job.catchUp().latest() == 0
                ? (limit == null ? ON_TIME : limit)
                : job.catchUp().within();
        wanted.removeIf(slot -> isOlder(slot, window) || isOlder(slot, limit));
        return wanted;
    }

    private boolean isOlder(Instant slot, @Nullable Duration limit) {
        return limit != null && Duration.between(slot, now).compareTo(limit) > 0;
    }

    private void dropBefore(Instant firstWanted, Instant after) {
        int latest = job.catchUp().latest();
        Duration within = job.catchUp().within();
        String reason =
                "missed; " + (latest == 0 ? "this job catches up with none" : "caught up with the latest " + latest)
                        + (within == null ? "" : " within " + DurationText.show(within))
                        + (job.startWithin() == null ? "" : ", started within " + DurationText.show(job.startWithin()));
        drop(job.schedule(), after, firstWanted, reason);
    }

    private void overlapping(Instant slot, OpenSlot earlier) {
        Overlap overlap = job.overlap();
        if (record.open().size() >= MAX_OPEN) {
            end(slot, Kind.SKIPPED, MAX_OPEN + " earlier slots have not ended");
        } else if (overlap instanceof Overlap.Wait wait) {
            queue(slot, slot.plus(wait.atMost()), false);
        } else if (overlap instanceof Overlap.Fallback other) {
            fallBack(slot, other);
        } else if (overlap instanceof Overlap.Buffer) {
            replaceQueued(slot);
            queue(slot, null, false);
        } else if (overlap instanceof Overlap.Supersede) {
            replaceQueued(slot);
            queue(slot, null, true);
        } else {
            end(
                    slot,
                    Kind.SKIPPED,
                    "slot " + earlier.slot() + (earlier.isQueued() ? " waits to be run" : " was running"));
        }
    }

    private void fallBack(Instant slot, Overlap.Fallback other) {
        Optional<OpenSlot> first = record.runningOn(job.name());
        Optional<OpenSlot> second = record.runningOn(other.name());
        if (first.isPresent() && second.isPresent()) {
            String both = "slots " + first.get().slot() + " and, under " + other.name() + ", "
                    + second.get().slot();
            end(slot, Kind.SKIPPED, both + " were running");
        } else {
            queue(slot, null, false);
        }
    }

    private void replaceQueued(Instant newer) {
        for (OpenSlot queued : record.open()) {
            if (queued.wasNeverStarted()) {
                end(queued.slot(), Kind.SKIPPED, "slot " + newer + " took its place");
            }
        }
    }

    private void queue(Instant slot, @Nullable Instant limit, boolean supersedes) {
        Instant start = job.startWithin() == null ? null : slot.plus(job.startWithin());
        Instant notAfter = limit == null || (start != null && start.isBefore(limit)) ? start : limit;
        // A slot that falls back is queued for the other name at once: the record knows that the first one is taken.
        boolean taken = record.runningOn(job.name()).isPresent();
        var lease = job.overlap() instanceof Overlap.Fallback other && taken ? other.name() : job.name();
        record = record.with(new OpenSlot(slot, lease, supersedes, 1, 0, 0, now.plus(jitter), notAfter, null));
    }

    private void end(Instant slot, Kind kind, String reason) {
        record = record.with(Outcome.withoutRun(slot, kind, reason, now));
    }

    private void drop(Schedule schedule, Instant after, String reason) {
        drop(schedule, after, now.plusNanos(1), reason);
    }

    private void drop(Schedule schedule, Instant after, Instant before, String reason) {
        record = dropped(record, schedule, after, before, reason, now);
    }

    /** Drops what is due after one moment and before another, as one entry: a week without machines is one line. */
    private static JobRecord dropped(
            JobRecord record, Schedule schedule, Instant after, Instant before, String reason, Instant now) {
        Optional<Instant> first = schedule.nextAfter(after);
        Optional<Instant> last = schedule.latestUpTo(before.minusNanos(1));
        if (first.isEmpty() || last.isEmpty() || !first.get().isBefore(before)) {
            return record;
        }
        int count = schedule.count(after, before, Outcome.MAX_COUNTED);
        return record.with(Outcome.dropped(first.get(), last.get(), count, reason, now));
    }
}
