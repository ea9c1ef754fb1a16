package dev.leasehold.jobs;

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
 * @param outcomes the latest, newest first
 * @param counters how many slots ended in each way since the record was created
 */
public record JobRecord(
        Instant watermark,
        List<Known> schedules,
        List<OpenSlot> open,
        @Nullable Pause pause,
        List<Outcome> outcomes,
        Map<String, Long> counters) {
    public static final int OUTCOMES_KEPT = 100;
    static final int SCHEDULES_KEPT = 4;

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
        return new JobRecord(now, List.of(), List.of(), null, List.of(), Map.of());
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

    JobRecord withWatermark(Instant slot) {
        Instant later = slot.isAfter(watermark) ? slot : watermark;
        return new JobRecord(later, schedules, open, pause, outcomes, counters);
    }

    JobRecord withWatermarkSetBack(Instant now) {
        return new JobRecord(now, schedules, open, pause, outcomes, counters);
    }

    JobRecord withSchedule(Schedule schedule, Instant now) {
        List<Known> all = new ArrayList<>();
        all.add(new Known(schedule.cron(), schedule.zone().getId(), now));
        all.addAll(schedules.subList(0, Math.min(schedules.size(), SCHEDULES_KEPT - 1)));
        return new JobRecord(watermark, List.copyOf(all), open, pause, outcomes, counters);
    }

    JobRecord withPause(@Nullable Pause newPause) {
        return new JobRecord(watermark, schedules, open, newPause, outcomes, counters);
    }

    /** Adds an open slot, or replaces its entry. */
    JobRecord with(OpenSlot entry) {
        List<OpenSlot> all = new ArrayList<>(open);
        all.removeIf(each -> each.slot().equals(entry.slot()));
        all.add(entry);
        all.sort((a, b) -> a.slot().compareTo(b.slot()));
        return new JobRecord(watermark, schedules, List.copyOf(all), pause, outcomes, counters);
    }

    /** Adds an outcome and removes its slots from the open ones. */
    JobRecord with(Outcome outcome) {
        List<OpenSlot> still = open.stream()
                .filter(each ->
                        each.slot().isBefore(outcome.from()) || each.slot().isAfter(outcome.to()))
                .toList();
        List<Outcome> latest = new ArrayList<>();
        latest.add(outcome);
        latest.addAll(outcomes.subList(0, Math.min(outcomes.size(), OUTCOMES_KEPT - 1)));
        Map<String, Long> counted = new TreeMap<>(counters);
        counted.merge(outcome.kind().word(), outcome.slots(), Long::sum);
        return new JobRecord(watermark, schedules, still, pause, List.copyOf(latest), Map.copyOf(counted));
    }
}
