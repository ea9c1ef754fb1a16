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
 * Decides what becomes of the slots that are due. The decision is a pure function of the job, its
 * record and the store's time, so all machines decide the same, and one of them writes it.
 */
final class DueSlotPolicy {
    /**
     * The most slots that may be open. A longer queue would not help a job that is this far behind.
     */
    static final int MAX_OPEN = 64;

    /** How late a slot may start in a job that does not catch up with missed slots. */
    static final Duration ON_TIME = Duration.ofMinutes(1);

    /** How long a start waits for a machine, unless the job's own limit is shorter. */
    static final Duration START_TAKEN_UP = Duration.ofMinutes(10);

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
     * Returns the record with every slot decided that was due by {@code now}; the same object if
     * none was.
     *
     * @param now the store's time
     * @param jitter the delay after which slots that are queued now may start
     */
    static JobRecord apply(Job job, JobRecord record, Instant now, Duration jitter) {
        DueSlotPolicy policy = new DueSlotPolicy(job, record, now, jitter);
        policy.adoptSchedule();
        if (policy.record.pause() != null) {
            policy.dropWhilePaused(policy.record.pause());
        } else {
            policy.giveUpExpired();
            policy.admitDueSlots();
            policy.admitStarts();
        }
        return policy.record;
    }

    /** Returns the record without its pause. Slots that were due during the pause are dropped. */
    static JobRecord resume(JobRecord record, Instant now) {
        Pause pause = record.pause();
        Optional<Schedule> schedule = record.schedules().stream().findFirst().flatMap(DueSlotPolicy::scheduleOf);
        if (pause == null || schedule.isEmpty()) {
            return record.withPause(null);
        }
        if (record.watermark().isAfter(now)) {
            // The store's clock was ahead and was corrected. Only a person can decide that slots
            // count again.
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

    /**
     * A new schedule is valid from now on. Undecided slots of the previous schedule are dropped.
     */
    private void adoptSchedule() {
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
            // A newer version wrote this schedule, and this version cannot compute its slots.
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
        for (JobStart start : waitingStarts()) {
            end(start.slot(), Kind.DROPPED, reason);
        }
        Instant after = dueAfter();
        if (!isAnythingDue(after)) {
            return;
        }
        drop(job.schedule(), after, reason);
        job.schedule().latestUpTo(now).ifPresent(slot -> record = record.withWatermark(slot));
    }

    private void giveUpExpired() {
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

    private void admitDueSlots() {
        Instant after = dueAfter();
        if (!isAnythingDue(after)) {
            return;
        }
        List<Instant> toRun = toRun(after);
        dropBefore(toRun.isEmpty() ? now.plusNanos(1) : toRun.get(0), after);
        job.schedule().latestUpTo(now).ifPresent(newest -> record = record.withWatermark(newest));
        // Slots that were missed together run one after the other. They overlap only with slots
        // that were open before.
        List<OpenSlot> before = record.open();
        for (Instant slot : toRun) {
            if (before.isEmpty()) {
                queue(slot, null, false);
            } else {
                overlapping(slot, before.get(before.size() - 1));
            }
        }
    }

    /** Decides what persons asked for, after the slots that are due. It obeys the same policy. */
    private void admitStarts() {
        Duration own = job.startWithin();
        Duration limit = own != null && own.compareTo(START_TAKEN_UP) < 0 ? own : START_TAKEN_UP;
        for (JobStart start : waitingStarts()) {
            List<OpenSlot> open = record.open();
            if (isOlder(start.slot(), limit)) {
                end(start.slot(), Kind.DROPPED, "no machine took the start up within " + DurationText.show(limit));
            } else if (open.isEmpty()) {
                queue(start.slot(), null, false);
            } else {
                overlapping(start.slot(), open.get(open.size() - 1));
            }
        }
    }

    /** The starts to decide, oldest first. They count as decided from now on. */
    private List<JobStart> waitingStarts() {
        List<JobStart> waiting = new ArrayList<>();
        for (JobStart start : record.starts()) {
            if (start.waiting()) {
                waiting.add(0, start);
            }
        }
        waiting.forEach(start -> record = record.with(start.decided()));
        return waiting;
    }

    private boolean isAnythingDue(Instant after) {
        return job.schedule()
                .nextAfter(after)
                .filter(slot -> !slot.isAfter(now))
                .isPresent();
    }

    /** The due slots to run, oldest first. */
    private List<Instant> toRun(Instant after) {
        List<Instant> latest =
                job.schedule().latest(after, now, Math.max(1, job.catchUp().latest()));
        List<Instant> toRun = new ArrayList<>(latest);
        Duration limit = job.startWithin();
        Duration window = job.catchUp().latest() == 0
                ? (limit == null ? ON_TIME : limit)
                : job.catchUp().within();
        toRun.removeIf(slot -> isOlder(slot, window) || isOlder(slot, limit));
        return toRun;
    }

    private boolean isOlder(Instant slot, @Nullable Duration limit) {
        return limit != null && Duration.between(slot, now).compareTo(limit) > 0;
    }

    private void dropBefore(Instant firstToRun, Instant after) {
        int latest = job.catchUp().latest();
        Duration within = job.catchUp().within();
        String reason =
                "missed; " + (latest == 0 ? "this job catches up with none" : "caught up with the latest " + latest)
                        + (within == null ? "" : " within " + DurationText.show(within))
                        + (job.startWithin() == null ? "" : ", started within " + DurationText.show(job.startWithin()));
        drop(job.schedule(), after, firstToRun, reason);
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
        // If the record shows that the job's lease is taken, the slot is queued for the fallback
        // name at once.
        boolean taken = record.runningOn(job.name()).isPresent();
        var lease = job.overlap() instanceof Overlap.Fallback other && taken ? other.name() : job.name();
        Instant notBefore = JobStart.isSlot(slot) ? now : now.plus(jitter);
        record = record.with(new OpenSlot(slot, lease, supersedes, 1, 0, 0, notBefore, notAfter, null));
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

    /**
     * Drops the slots between two moments, both exclusive, as one outcome: a week without machines
     * is one line.
     */
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
