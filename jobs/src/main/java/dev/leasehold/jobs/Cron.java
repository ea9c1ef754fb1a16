package dev.leasehold.jobs;

import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression as a pattern of wall-clock times without a zone. The library sees only days of
 * 24 hours; {@link Schedule} handles clock changes.
 */
final class Cron {
    private static final Map<String, String> NICKNAMES = Map.of(
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@hourly", "0 * * * *");

    private static final Set<String> EVERY_HOUR = Set.of("*", "*/1", "0-23", "0/1");
    private static final int MAX_LENGTH = 200;

    private record Field(String name, String allowed) {}

    private static final List<Field> FIELDS = List.of(
            new Field("second", "0-59"),
            new Field("minute", "0-59"),
            new Field("hour", "0-23"),
            new Field("day of month", "1-31 or L for the last"),
            new Field("month", "1-12 or JAN-DEC"),
            new Field("day of week", "0-7 (0 and 7 are Sunday), SUN-SAT, or MON#2 for the second Monday"));

    private static final CronDefinition DEFINITION = CronDefinitionBuilder.defineCron()
            .withSeconds()
            .withStrictRange()
            .and()
            .withMinutes()
            .withStrictRange()
            .and()
            .withHours()
            .withStrictRange()
            .and()
            .withDayOfMonth()
            .supportsL()
            .withStrictRange()
            .and()
            .withMonth()
            .withStrictRange()
            .and()
            .withDayOfWeek()
            .withValidRange(0, 7)
            .withMondayDoWValue(1)
            .withIntMapping(7, 0)
            .supportsHash()
            .withStrictRange()
            .and()
            .instance();

    /** Shared, because creating a parser costs more than using it. */
    private static final CronParser PARSER = new CronParser(DEFINITION);

    private final String text;
    private final boolean everyHour;
    private final ExecutionTime times;

    private Cron(String text, String[] fields, ExecutionTime times) {
        this.text = text;
        this.everyHour = EVERY_HOUR.contains(fields[2]);
        this.times = times;
    }

    /**
     * Reads 5 fields, 6 with the seconds first, or a nickname such as {@code @daily}.
     *
     * @throws IllegalArgumentException saying which field is wrong and what is allowed there
     */
    static Cron parse(String text) {
        String trimmed = text.strip();
        if (trimmed.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "cron has " + trimmed.length() + " characters: at most " + MAX_LENGTH + " are allowed");
        }
        String[] fields = fields(trimmed);
        for (int i = 0; i < fields.length; i++) {
            requireField(fields[i], i);
        }
        ExecutionTime times = ExecutionTime.forCron(PARSER.parse(String.join(" ", fields)));
        Cron cron = new Cron(trimmed, fields, times);
        if (cron.next(LocalDateTime.of(2000, 1, 1, 0, 0)).isEmpty()) {
            throw new IllegalArgumentException("cron " + Quoted.of(trimmed) + " never occurs: day of month " + fields[3]
                    + " does not exist in month " + fields[4]);
        }
        return cron;
    }

    private static String[] fields(String text) {
        String expression = text.startsWith("@") ? NICKNAMES.get(text) : text;
        if (expression == null) {
            throw new IllegalArgumentException("cron " + Quoted.of(text) + " is not a nickname; known are "
                    + String.join(", ", new TreeSet<>(NICKNAMES.keySet())));
        }
        String[] fields = expression.split("\\s+", -1);
        if (fields.length == FIELDS.size() - 1) {
            fields = ("0 " + expression).split("\\s+", -1);
        }
        if (fields.length != FIELDS.size()) {
            throw new IllegalArgumentException("cron " + Quoted.of(text) + " has "
                    + (text.isEmpty() ? 0 : fields.length)
                    + " fields: write 5 (minute, hour, day of month, month, day of week), or 6 with the second first");
        }
        return fields;
    }

    /** The library does not say which field is wrong, so each field is parsed alone. */
    private static void requireField(String value, int index) {
        String[] alone = {"*", "*", "*", "*", "*", "*"};
        alone[index] = value;
        try {
            PARSER.parse(String.join(" ", alone)).validate();
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            // For some texts, such as MON# without a number, the library fails instead of
            // refusing them.
            Field field = FIELDS.get(index);
            throw new IllegalArgumentException(
                    "cron field '" + field.name + "' is " + Quoted.of(value) + ": allowed are " + field.allowed
                            + ", *, lists a,b, ranges a-b (upwards) and steps */n",
                    e);
        }
    }

    /** Whether the expression matches every hour, and not only certain hours of the day. */
    boolean isEveryHour() {
        return everyHour;
    }

    /** The first match after {@code time}. */
    Optional<LocalDateTime> next(LocalDateTime time) {
        return local(times.nextExecution(whole(time)).orElse(null));
    }

    /** The last match that is not after {@code time}. */
    Optional<LocalDateTime> latest(LocalDateTime time) {
        return local(times.lastExecution(whole(time).plusSeconds(1)).orElse(null));
    }

    private static ZonedDateTime whole(LocalDateTime time) {
        return time.truncatedTo(ChronoUnit.SECONDS).atZone(ZoneOffset.UTC);
    }

    private static Optional<LocalDateTime> local(@Nullable ZonedDateTime time) {
        return Optional.ofNullable(time).map(ZonedDateTime::toLocalDateTime);
    }

    @Override
    public String toString() {
        return text;
    }
}
