package dev.leasehold.jobs;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.LeaseName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The record of a job's slots in the store. Immutable. Its size is bounded, however long the job
 * has existed.
 *
 * @param watermark every slot up to this moment is open or has an outcome; it moves back only when
 *     a person resumes the job after the store's clock was wrong
 * @param schedules the job's current and previous schedules, newest first
 * @param open the slots that are queued or running, ordered by time
 * @param starts what persons asked for, newest first
 * @param outcomes the latest, newest first
 * @param counters how many slots ended in each way since the record was created
 */
public record JobRecord(
        Instant watermark,
        List<Known> schedules,
        List<OpenSlot> open,
        @Nullable Pause pause,
        List<JobStart> starts,
        List<Outcome> outcomes,
        Map<String, Long> counters) {
    public static final int OUTCOMES_KEPT = 100;
    static final int SCHEDULES_KEPT = 4;
    static final int STARTS_KEPT = 32;

    /**
     * A schedule of the job. Slots before {@code since} are not due, so a first start does not run
     * past slots.
     */
    public record Known(String cron, String zone, Instant since) {
        boolean is(Schedule schedule) {
            return cron.equals(schedule.cron()) && zone.equals(schedule.zone().getId());
        }
    }

    static JobRecord first(Instant now) {
        return new JobRecord(now, List.of(), List.of(), null, List.of(), List.of(), Map.of());
    }

    Optional<Known> known(Schedule schedule) {
        return schedules.stream().filter(known -> known.is(schedule)).findFirst();
    }

    Optional<OpenSlot> openAt(Instant slot) {
        return open.stream().filter(each -> each.slot().equals(slot)).findFirst();
    }

    /** The slot that is running under a lease name, according to the record. */
    Optional<OpenSlot> runningOn(LeaseName lease) {
        return open.stream()
                .filter(each -> !each.isQueued() && each.lease().equals(lease))
                .findFirst();
    }

    /** What was asked for with this request. */
    Optional<JobStart> start(AttemptId request) {
        return starts.stream().filter(each -> each.request().equals(request)).findFirst();
    }

    /** Who asked for a slot; empty for a slot of the schedule. */
    public Optional<JobStart> startAt(Instant slot) {
        return starts.stream().filter(each -> each.slot().equals(slot)).findFirst();
    }

    /** Whether a start is waiting, queued or running. */
    boolean hasStarts() {
        return starts.stream().anyMatch(JobStart::waiting)
                || open.stream().anyMatch(each -> JobStart.isSlot(each.slot()));
    }

    boolean isTaken(Instant slot) {
        return openAt(slot).isPresent()
                || startAt(slot).isPresent()
                || outcomes.stream().anyMatch(each -> each.from().equals(slot));
    }

    /** How far a start is, as a word. */
    String stateOf(JobStart start) {
        if (start.waiting()) {
            return "asked";
        }
        Optional<OpenSlot> entry = openAt(start.slot());
        if (entry.isPresent()) {
            return entry.get().isQueued() ? "queued" : "running";
        }
        return outcomes.stream()
                .filter(each -> each.from().equals(start.slot()))
                .map(each -> each.kind().word())
                .findFirst()
                .orElse("ended");
    }

    JobRecord withWatermark(Instant slot) {
        Instant later = slot.isAfter(watermark) ? slot : watermark;
        return new JobRecord(later, schedules, open, pause, starts, outcomes, counters);
    }

    JobRecord withWatermarkSetBack(Instant now) {
        return new JobRecord(now, schedules, open, pause, starts, outcomes, counters);
    }

    JobRecord withSchedule(Schedule schedule, Instant now) {
        List<Known> all = new ArrayList<>();
        all.add(new Known(schedule.cron(), schedule.zone().getId(), now));
        all.addAll(schedules.subList(0, Math.min(schedules.size(), SCHEDULES_KEPT - 1)));
        return new JobRecord(watermark, List.copyOf(all), open, pause, starts, outcomes, counters);
    }

    JobRecord withPause(@Nullable Pause newPause) {
        return new JobRecord(watermark, schedules, open, newPause, starts, outcomes, counters);
    }

    /** Adds a start, or replaces its entry. */
    JobRecord with(JobStart start) {
        List<JobStart> all = new ArrayList<>(starts);
        all.removeIf(each -> each.slot().equals(start.slot()));
        all.add(start);
        all.sort((a, b) -> b.slot().compareTo(a.slot()));
        // Only those that have ended are forgotten.
        for (int i = all.size() - 1; i >= 0 && all.size() > STARTS_KEPT; i--) {
            if (!all.get(i).waiting() && openAt(all.get(i).slot()).isEmpty()) {
                all.remove(i);
            }
        }
        return new JobRecord(watermark, schedules, open, pause, List.copyOf(all), outcomes, counters);
    }

    /** Adds an open slot, or replaces its entry. */
    JobRecord with(OpenSlot entry) {
        List<OpenSlot> all = new ArrayList<>(open);
        all.removeIf(each -> each.slot().equals(entry.slot()));
        all.add(entry);
        all.sort((a, b) -> a.slot().compareTo(b.slot()));
        return new JobRecord(watermark, schedules, List.copyOf(all), pause, starts, outcomes, counters);
    }

    /** Adds an outcome and removes its slots from the open ones. */
    JobRecord with(Outcome outcome) {
        List<OpenSlot> still =
                open.stream().filter(each -> !outcome.includes(each.slot())).toList();
        List<Outcome> latest = new ArrayList<>();
        latest.add(outcome);
        latest.addAll(outcomes.subList(0, Math.min(outcomes.size(), OUTCOMES_KEPT - 1)));
        Map<String, Long> counted = new TreeMap<>(counters);
        counted.merge(outcome.kind().word(), outcome.slots(), Long::sum);
        return new JobRecord(watermark, schedules, still, pause, starts, List.copyOf(latest), Map.copyOf(counted));
    }
}
