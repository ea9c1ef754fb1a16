package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schedules on days that have no 02:30, or two of them, with the zone data of this JDK. */
class ScheduleTest {
    @Test
    void aTimeThatDoesNotExistOccursOnceWhenTheClocksJump() {
        assertThat(slots("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", "2026-03-31T00:00:00Z"))
                .containsExactly(
                        at("2026-03-28T01:30:00Z"), // 02:30 +01:00
                        at("2026-03-29T01:00:00Z"), // there is no 02:30: 03:00 +02:00, the first instant after the gap
                        at("2026-03-30T00:30:00Z")); // 02:30 +02:00
    }

    @Test
    void aTimeThatExistsTwiceOccursTheFirstTime() {
        assertThat(slots("30 2 * * *", "Europe/Berlin", "2026-10-24T00:00:00Z", "2026-10-27T00:00:00Z"))
                .containsExactly(at("2026-10-24T00:30:00Z"), at("2026-10-25T00:30:00Z"), at("2026-10-26T01:30:00Z"));
    }

    @Test
    void severalTimesInAGapAreOneSlot() {
        assertThat(slots("0,20,40 2 * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", "2026-03-29T12:00:00Z"))
                .containsExactly(at("2026-03-29T01:00:00Z"));
        assertThat(slots("*/20 2,3 * * *", "Europe/Berlin", "2026-03-29T00:00:00Z", "2026-03-29T12:00:00Z"))
                .containsExactly(at("2026-03-29T01:00:00Z"), at("2026-03-29T01:20:00Z"), at("2026-03-29T01:40:00Z"));
    }

    @Test
    void midnightMayNotExist() {
        // In Cairo and Beirut the clocks jump at midnight.
        assertThat(slots("@daily", "Africa/Cairo", "2026-04-22T23:00:00Z", "2026-04-24T23:00:00Z"))
                .containsExactly(at("2026-04-23T22:00:00Z"), at("2026-04-24T21:00:00Z"));
    }

    @Test
    void aDayThatWasSkippedHasNoSlots() {
        // Samoa went from the 29th to the 31st of December 2011.
        assertThat(slots("@daily", "Pacific/Apia", "2011-12-29T00:00:00Z", "2012-01-01T00:00:00Z"))
                .containsExactly(at("2011-12-29T10:00:00Z"), at("2011-12-30T10:00:00Z"), at("2011-12-31T10:00:00Z"));
    }

    @Test
    void clocksMayChangeByHalfAnHour() {
        // Lord Howe moves its clocks by thirty minutes, at two o'clock.
        assertThat(slots("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00:00Z", "2026-10-04T12:00:00Z"))
                .containsExactly(at("2026-10-03T15:30:00Z"));
        assertThat(slots("45 1 * * *", "Australia/Lord_Howe", "2026-04-04T12:00:00Z", "2026-04-05T12:00:00Z"))
                .containsExactly(at("2026-04-04T14:45:00Z"));
    }

    @Test
    void anHourlyScheduleNeitherPausesNorRepeatsWhenClocksChange() {
        for (String day : List.of("2026-03-29", "2026-10-25")) {
            Instant start = LocalDate.parse(day).atStartOfDay(ZoneId.of("UTC")).toInstant();
            assertThat(slots(
                            "*/15 * * * *",
                            "Europe/Berlin",
                            start.minusSeconds(1).toString(),
                            start.plus(Duration.ofHours(6)).toString()))
                    .hasSize(25)
                    .isEqualTo(every(Duration.ofMinutes(15), start, 25));
            assertThat(slots(
                            "45 * * * *",
                            "Europe/Berlin",
                            start.toString(),
                            start.plus(Duration.ofHours(6)).toString()))
                    .hasSize(6)
                    .isEqualTo(every(Duration.ofHours(1), start.plus(Duration.ofMinutes(45)), 6));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Europe/Berlin",
                "America/New_York",
                "America/St_Johns",
                "Africa/Cairo",
                "Africa/Casablanca",
                "Australia/Lord_Howe",
                "Asia/Tehran",
                "America/Sao_Paulo",
                "Asia/Kolkata",
                "UTC"
            })
    void everyDayAroundEveryChangeOfClocksHasOneSlot(String zone) {
        for (String time : List.of("00:00", "00:30", "01:30", "02:00", "02:30", "03:00", "23:45")) {
            LocalTime wanted = LocalTime.parse(time);
            Schedule schedule =
                    Schedule.of(wanted.getMinute() + " " + wanted.getHour() + " * * *", Schedule.zone(zone));
            for (Instant change : changes(ZoneId.of(zone))) {
                Instant slot = change.minus(Duration.ofDays(2));
                LocalDate day = null;
                while (slot.isBefore(change.plus(Duration.ofDays(2)))) {
                    Instant next = schedule.nextAfter(slot).orElseThrow();
                    ZonedDateTime local = next.atZone(ZoneId.of(zone));
                    assertThat(local.toLocalDate())
                            .as("%s at %s", zone, local)
                            .isEqualTo(day == null ? local.toLocalDate() : day.plusDays(1));
                    assertThat(local.toLocalTime()).as("%s at %s", zone, local).isAfterOrEqualTo(wanted);
                    assertThat(schedule.latestUpTo(next)).contains(next);
                    day = local.toLocalDate();
                    slot = next;
                }
            }
        }
    }

    private static List<Instant> changes(ZoneId zone) {
        List<Instant> found = new ArrayList<>();
        Instant from = at("2020-01-01T00:00:00Z");
        var change = zone.getRules().nextTransition(from);
        while (change != null && change.getInstant().isBefore(at("2027-01-01T00:00:00Z"))) {
            found.add(change.getInstant());
            change = zone.getRules().nextTransition(change.getInstant());
        }
        return found.isEmpty() ? List.of(from) : found;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"*/7 * * * *", "13 */5 * * *", "0 0 1 * *", "30 2 * * SUN", "*/10 1-3 * * *", "17 2 * 3,10 *"})
    void searchingBackwardsFindsTheSameSlots(String cron) {
        Schedule schedule = Schedule.of(cron, ZoneId.of("America/New_York"));
        Instant start = at("2026-03-01T00:00:00Z");
        Instant end = at("2026-11-20T00:00:00Z");
        List<Instant> forwards = new ArrayList<>();
        for (var s = schedule.nextAfter(start);
                s.isPresent() && !s.get().isAfter(end);
                s = schedule.nextAfter(s.get())) {
            forwards.add(s.get());
        }

        assertThat(schedule.latest(start, end, 100_000))
                .isEqualTo(forwards)
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(schedule.latest(start, end, 3)).isEqualTo(forwards.subList(forwards.size() - 3, forwards.size()));
        assertThat(schedule.count(start, end, 100_000)).isEqualTo(forwards.size() - (forwards.contains(end) ? 1 : 0));
        assertThat(schedule.count(start, end, 2)).isEqualTo(2);
    }

    @Test
    void fractionsOfASecondDoNotMatter() {
        Schedule schedule = Schedule.of("* * * * * *", ZoneId.of("UTC"));

        assertThat(schedule.nextAfter(at("2026-01-01T00:00:00.999999Z"))).contains(at("2026-01-01T00:00:01Z"));
        assertThat(schedule.nextAfter(at("2026-01-01T00:00:01Z"))).contains(at("2026-01-01T00:00:02Z"));
        assertThat(schedule.latestUpTo(at("2026-01-01T00:00:01.5Z"))).contains(at("2026-01-01T00:00:01Z"));
        assertThat(schedule.latestUpTo(at("2026-01-01T00:00:00.999Z"))).contains(at("2026-01-01T00:00:00Z"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Europe/Berln", "Mars/Olympus", "", "+99:00", "CEST"})
    void anUnknownZoneSaysWhatIsAllowed(String zone) {
        assertThatThrownBy(() -> Schedule.zone(zone))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Europe/Berlin")
                .hasMessageContaining("offset");
    }

    @Test
    void aMistypedZoneSuggestsTheNearest() {
        assertThatThrownBy(() -> Schedule.zone("America/New_Yrok"))
                .hasMessageContaining("did you mean America/New_York?");
    }

    @ParameterizedTest
    @CsvSource({"*/5 * * * *,PT5M", "0 9-11 * * MON,PT1H", "0 0 1 1 *,PT8760H"})
    void theShortestIntervalIsFoundAmongTheNextSlots(String cron, Duration shortest) {
        assertThat(Schedule.of(cron, ZoneId.of("UTC")).shortestInterval(at("2026-01-01T00:00:00Z")))
                .contains(shortest);
    }

    private static List<Instant> slots(String cron, String zone, String after, String upTo) {
        Schedule schedule = Schedule.of(cron, ZoneId.of(zone));
        List<Instant> found = new ArrayList<>();
        for (var s = schedule.nextAfter(at(after));
                s.isPresent() && !s.get().isAfter(at(upTo));
                s = schedule.nextAfter(s.get())) {
            found.add(s.get());
        }
        assertThat(schedule.latest(at(after), at(upTo), 10_000)).as("backwards").isEqualTo(found);
        return found;
    }

    private static List<Instant> every(Duration step, Instant first, int count) {
        List<Instant> found = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            found.add(first.plus(step.multipliedBy(i)));
        }
        return found;
    }

    private static Instant at(String text) {
        return Instant.parse(text);
    }
}
