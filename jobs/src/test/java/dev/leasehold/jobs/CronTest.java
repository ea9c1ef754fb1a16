package dev.leasehold.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the library's reading of cron expressions with a simple check of every minute. */
class CronTest {
    private static final LocalDateTime START = LocalDateTime.of(2027, 12, 20, 13, 7, 31);

    @Test
    void everyFieldMatchesItsValues() {
        agrees("*/15 * * * *", t -> t.getMinute() % 15 == 0);
        agrees("5/20 * * * *", t -> t.getMinute() % 20 == 5);
        agrees(
                "10-40/10 9-17 * * MON-FRI",
                t -> t.getMinute() % 10 == 0
                        && t.getMinute() >= 10
                        && t.getMinute() <= 40
                        && t.getHour() >= 9
                        && t.getHour() <= 17
                        && t.getDayOfWeek().getValue() <= 5);
        agrees("0 0 1 jan *", t -> midnight(t) && t.getDayOfMonth() == 1 && t.getMonthValue() == 1);
        agrees(
                "30 3,4 * 2-3 *",
                t -> t.getMinute() == 30
                        && (t.getHour() == 3 || t.getHour() == 4)
                        && (t.getMonthValue() == 2 || t.getMonthValue() == 3));
        agrees(
                "0 0 L * *",
                t -> midnight(t) && t.getDayOfMonth() == YearMonth.from(t).lengthOfMonth());
        agrees("0 0 29 2 *", t -> midnight(t) && t.getDayOfMonth() == 29 && t.getMonthValue() == 2);
        agrees(
                "0 0 * * MON#2",
                t -> midnight(t) && t.getDayOfWeek() == DayOfWeek.MONDAY && (t.getDayOfMonth() - 1) / 7 == 1);
    }

    @Test
    void sundayIsBothZeroAndSeven() {
        Predicate<LocalDateTime> sundays = t -> midnight(t) && t.getDayOfWeek() == DayOfWeek.SUNDAY;
        agrees("0 0 * * 0", sundays);
        agrees("0 0 * * 7", sundays);
        agrees("0 0 * * SUN", sundays);
        agrees("0 0 * * 5-7", t -> midnight(t) && t.getDayOfWeek().getValue() >= 5);
    }

    /** As in every crontab: Friday or the 13th. */
    @Test
    void aDayOfTheMonthAndADayOfTheWeekMatchEither() {
        agrees("0 0 13 * FRI", t -> midnight(t) && (t.getDayOfMonth() == 13 || t.getDayOfWeek() == DayOfWeek.FRIDAY));
    }

    @ParameterizedTest
    @CsvSource({
        "@hourly, 0 * * * *",
        "@daily, 0 0 * * *",
        "@midnight, 0 0 * * *",
        "@weekly, 0 0 * * 0",
        "@monthly, 0 0 1 * *",
        "@yearly, 0 0 1 1 *",
        "@annually, 0 0 1 1 *"
    })
    void nicknamesMeanTheirExpressions(String nickname, String expression) {
        assertThat(Cron.parse(nickname).next(START))
                .isEqualTo(Cron.parse(expression).next(START))
                .isPresent();
    }

    @Test
    void sixFieldsStartWithTheSeconds() {
        Cron cron = Cron.parse("*/20 30 2 * * *");

        assertThat(cron.next(LocalDateTime.of(2026, 1, 1, 2, 30, 0))).contains(LocalDateTime.of(2026, 1, 1, 2, 30, 20));
        assertThat(cron.latest(LocalDateTime.of(2026, 1, 2, 0, 0))).contains(LocalDateTime.of(2026, 1, 1, 2, 30, 40));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "60 * * * *|minute|0-59",
                "* 24 * * *|hour|0-23",
                "* * 0 * *|day of month|1-31",
                "* * * 13 *|month|1-12 or JAN-DEC",
                "* * * * 8|day of week|0-7",
                "61 * * * * *|second|0-59",
                "* * * * FRI-MON|day of week|ranges a-b (upwards)",
                "*/0 * * * *|minute|steps",
                "1, * * * *|minute|lists",
                "* * * * NOON|day of week|SUN-SAT",
                "0 12 * * MON#|day of week|MON#2",
                "* * ? * *|day of month|1-31",
                "'* -1 * * *'|hour|0-23"
            })
    void aBadFieldIsNamedTogetherWithWhatIsAllowedThere(String cron, String field, String allowed) {
        assertThatThrownBy(() -> Cron.parse(cron.replace("'", "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + field + "'")
                .hasMessageContaining(allowed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "* * * *", "* * * * * * *", "@reboot", "@dayly", "0 0 30 2 *", "0 0 31 4,6 *"})
    void anInvalidExpressionIsRefused(String cron) {
        assertThatThrownBy(() -> Cron.parse(cron)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anExpressionThatIsTooLongIsNotParsed() {
        assertThatThrownBy(() -> Cron.parse("1,".repeat(100_000) + "1 * * * *"))
                .hasMessageContaining("characters")
                .hasMessageNotContaining("1,1,1");
    }

    private static boolean midnight(LocalDateTime time) {
        return time.getHour() == 0 && time.getMinute() == 0;
    }

    /**
     * Compares three months around the turn of a year, forwards and backwards, minute by minute.
     */
    private static void agrees(String expression, Predicate<LocalDateTime> matches) {
        Cron cron = Cron.parse(expression);
        LocalDateTime end = START.plusDays(75);
        List<LocalDateTime> expected = new ArrayList<>();
        for (LocalDateTime t = START.truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
                t.isBefore(end);
                t = t.plusMinutes(1)) {
            if (matches.test(t)) {
                expected.add(t);
            }
        }
        List<LocalDateTime> forwards = new ArrayList<>();
        for (var t = cron.next(START); t.isPresent() && t.get().isBefore(end); t = cron.next(t.get())) {
            forwards.add(t.get());
        }
        List<LocalDateTime> backwards = new ArrayList<>();
        for (var t = cron.latest(end.minusSeconds(1));
                t.isPresent() && t.get().isAfter(START);
                t = cron.latest(t.get().minusSeconds(1))) {
            backwards.add(0, t.get());
        }
        assertThat(forwards).as(expression).isEqualTo(expected).isNotEmpty();
        assertThat(backwards).as(expression + " backwards").isEqualTo(expected);
    }
}
