package dev.leasehold.redis;

import dev.leasehold.internal.Fields;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts values to and from the Redis protocol. */
final class Resp {
    private static final long MICROS = 1_000_000;
    /**
     * Scripts add durations to the time of day in numbers that are exact up to 2^53 microseconds,
     * the year 2255.
     */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Resp() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] raw(@Nullable Object answer) {
        if (answer instanceof byte[] bytes) {
            return bytes;
        }
        throw new IllegalArgumentException("not a text");
    }

    static String text(@Nullable Object answer) {
        return new String(raw(answer), StandardCharsets.UTF_8);
    }

    static @Nullable String optionalText(@Nullable Object answer) {
        return answer == null ? null : text(answer);
    }

    static long number(@Nullable Object answer) {
        return answer instanceof Long number ? number : Fields.number(text(answer));
    }

    @SuppressWarnings("unchecked")
    static List<@Nullable Object> list(@Nullable Object answer) {
        if (answer instanceof List<?> list) {
            return (List<@Nullable Object>) list;
        }
        throw new IllegalArgumentException("not a list");
    }

    /** Rounded down, because a holder must not be promised more than it asked for. */
    static long micros(Duration duration) {
        if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a duration must lie between 0 and 100 years");
        }
        return duration.getSeconds() * MICROS + duration.getNano() / 1000;
    }

    static Duration duration(long micros) {
        return Duration.ofSeconds(micros / MICROS, micros % MICROS * 1000);
    }

    static Instant instant(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1000);
    }
}
