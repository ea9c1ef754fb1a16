package dev.leasehold.jobs;

import dev.leasehold.internal.Nearest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When a job is due: a cron expression in a time zone. Immutable. The cost of each method does not
 * depend on the age of the job.
 *
 * <p>When clocks change, a schedule at <em>set hours</em> ({@code 30 2 * * *}) occurs exactly once
 * a day: a time that does not exist occurs at the moment of the change, and a time that exists
 * twice occurs the first time. A schedule of <em>every hour</em> ({@code *}/5 in the minutes and
 * {@code *} in the hours) follows elapsed time: it neither pauses for an hour nor occurs twice at
 * one instant.
 */
public final class Schedule {
    /** No schedule has more clock changes between two slots, so the search ends after this many. */
    private static final int MAX_TRANSITIONS = 1000;

    private static final int INTERVALS_LOOKED_AT = 10;

    private final Cron cron;
    private final ZoneId zone;
    private final ZoneRules rules;

    /** Cached, because every pass asks for the same next slot until it is due. */
    private volatile @Nullable Answer lastAnswer;

    private record Answer(Instant after, Optional<Instant> next) {}

    private Schedule(Cron cron, ZoneId zone) {
        this.cron = cron;
        this.zone = zone;
        this.rules = zone.getRules();
    }

    /**
     * Reads a cron expression of 5 fields, 6 with the seconds first, or a nickname such as
     * {@code @daily}.
     *
     * @throws IllegalArgumentException saying which field is wrong and what is allowed there
     */
    public static Schedule of(String cron, ZoneId zone) {
        return new Schedule(Cron.parse(cron), zone);
    }

    /**
     * Reads a zone such as {@code Europe/Berlin}.
     *
     * @throws IllegalArgumentException saying what is allowed
     */
    public static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "zone " + Quoted.of(text) + " is not known: write a name such as Europe/Berlin or America/New_York,"
                            + " UTC, or an offset such as +02:00"
                            + Nearest.suggestion(text, List.copyOf(ZoneId.getAvailableZoneIds()), ""),
                    e);
        }
    }

    public String cron() {
        return cron.toString();
    }

    public ZoneId zone() {
        return zone;
    }

    /** The first slot after {@code instant}; empty if there is none. */
    public Optional<Instant> nextAfter(Instant instant) {
        Answer last = lastAnswer;
        if (last == null || !last.after.equals(instant)) {
            last = new Answer(
                    instant, Optional.ofNullable(cron.isEveryHour() ? nextPassing(instant) : nextAtSetHours(instant)));
            lastAnswer = last;
        }
        return last.next;
    }

    /** The latest slot that is not after {@code instant}. */
    public Optional<Instant> latestUpTo(Instant instant) {
        return Optional.ofNullable(cron.isEveryHour() ? latestPassing(instant) : latestAtSetHours(instant));
    }

    /**
     * The latest slots after {@code after} and up to {@code upTo}, at most {@code limit} of them,
     * oldest first.
     */
    public List<Instant> latest(Instant after, Instant upTo, int limit) {
        Deque<Instant> found = new ArrayDeque<>();
        Optional<Instant> slot = latestUpTo(upTo);
        while (slot.isPresent() && slot.get().isAfter(after) && found.size() < limit) {
            found.addFirst(slot.get());
            slot = latestUpTo(slot.get().minusNanos(1));
        }
        return List.copyOf(found);
    }

    /**
     * How many slots lie after {@code after} and before {@code before}; {@code limit} if there are
     * as many or more.
     */
    public int count(Instant after, Instant before, int limit) {
        int count = 0;
        Optional<Instant> slot = nextAfter(after);
        while (slot.isPresent() && slot.get().isBefore(before) && count < limit) {
            count++;
            slot = nextAfter(slot.get());
        }
        return count;
    }

    /** The shortest time between two of the slots that come next; empty if there are none. */
    public Optional<Duration> shortestInterval(Instant after) {
        Optional<Instant> slot = nextAfter(after);
        Duration shortest = null;
        for (int i = 0; i < INTERVALS_LOOKED_AT && slot.isPresent(); i++) {
            Optional<Instant> next = nextAfter(slot.get());
            if (next.isPresent()) {
                Duration interval = Duration.between(slot.get(), next.get());
                shortest = shortest == null || interval.compareTo(shortest) < 0 ? interval : shortest;
            }
            slot = next;
        }
        return Optional.ofNullable(shortest);
    }

    // --- at set hours: every wall-clock time means one instant

    private @Nullable Instant nextAtSetHours(Instant instant) {
        ZoneOffsetTransition repeated = repeatedAt(instant);
        // In the second pass of a repeated hour all its slots are over: the search starts where the
        // clocks were set back.
        LocalDateTime from = repeated == null
                ? LocalDateTime.ofInstant(instant, zone)
                : repeated.getDateTimeBefore().minusSeconds(1);
        LocalDateTime time = cron.next(from).orElse(null);
        while (time != null && !instantOf(time).isAfter(instant)) {
            time = cron.next(time).orElse(null);
        }
        return time == null ? null : instantOf(time);
    }

    private @Nullable Instant latestAtSetHours(Instant instant) {
        ZoneOffsetTransition repeated = repeatedAt(instant);
        LocalDateTime from = repeated == null
                ? LocalDateTime.ofInstant(instant, zone)
                : repeated.getDateTimeBefore().minusSeconds(1);
        return cron.latest(from).map(this::instantOf).orElse(null);
    }

    /**
     * The clock change in whose repeated hour, the second time round, {@code instant} lies; null if
     * there is none.
     */
    private @Nullable ZoneOffsetTransition repeatedAt(Instant instant) {
        ZoneOffsetTransition transition = rules.getTransition(LocalDateTime.ofInstant(instant, zone));
        boolean second = transition != null && transition.isOverlap() && !instant.isBefore(transition.getInstant());
        return second ? transition : null;
    }

    private Instant instantOf(LocalDateTime time) {
        ZoneOffsetTransition transition = rules.getTransition(time);
        if (transition == null) {
            return time.toInstant(rules.getOffset(time));
        }
        return transition.isGap() ? transition.getInstant() : time.toInstant(transition.getOffsetBefore());
    }

    // --- every hour: by elapsed time, whatever the clocks show

    private @Nullable Instant nextPassing(Instant instant) {
        Instant from = instant;
        ZoneOffset offset = rules.getOffset(from);
        LocalDateTime time = LocalDateTime.ofEpochSecond(from.getEpochSecond(), 0, offset);
        for (int i = 0; i < MAX_TRANSITIONS; i++) {
            LocalDateTime next = cron.next(time).orElse(null);
            ZoneOffsetTransition change = rules.nextTransition(from);
            if (next == null || change == null || next.toInstant(offset).isBefore(change.getInstant())) {
                return next == null ? null : next.toInstant(offset);
            }
            from = change.getInstant();
            offset = change.getOffsetAfter();
            time = change.getDateTimeAfter().minusSeconds(1);
        }
        return null;
    }

    private @Nullable Instant latestPassing(Instant instant) {
        Instant until = instant;
        for (int i = 0; i < MAX_TRANSITIONS; i++) {
            ZoneOffset offset = rules.getOffset(until);
            LocalDateTime time = LocalDateTime.ofEpochSecond(until.getEpochSecond(), 0, offset);
            LocalDateTime latest = cron.latest(time).orElse(null);
            ZoneOffsetTransition change = rules.previousTransition(until.plusNanos(1));
            if (latest == null || change == null || !latest.toInstant(offset).isBefore(change.getInstant())) {
                return latest == null ? null : latest.toInstant(offset);
            }
            until = change.getInstant().minusNanos(1);
        }
        return null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Schedule that && cron().equals(that.cron()) && zone.equals(that.zone);
    }

    @Override
    public int hashCode() {
        return Objects.hash(cron(), zone);
    }

    @Override
    public String toString() {
        return cron + " " + zone;
    }
}
