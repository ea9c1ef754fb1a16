package dev.leasehold.model;

import java.time.Duration;

/**
 * Durations as people write them: {@code 250ms}, {@code 90s}, {@code 15m}, {@code 2h}, {@code 7d}.
 */
public final class DurationText {
    /**
     * Longer than any sensible lease, and short enough that adding it to an instant cannot
     * overflow.
     */
    private static final long MAX_MILLIS = Duration.ofDays(3650).toMillis();

    private DurationText() {}

    /** Reads one or more numbers with units, such as {@code 1h30m}. */
    public static Duration parse(String text) {
        long millis = 0;
        int at = 0;
        do {
            int unitAt = at;
            while (unitAt < text.length() && text.charAt(unitAt) >= '0' && text.charAt(unitAt) <= '9') {
                unitAt++;
            }
            int end = unitAt;
            while (end < text.length() && text.charAt(end) >= 'a' && text.charAt(end) <= 'z') {
                end++;
            }
            long unit = unitMillis(text.substring(unitAt, end));
            if (unitAt == at || unitAt - at > 13 || unit == 0) {
                throw new IllegalArgumentException(
                        "duration is not understood: write a whole number and a unit, such as"
                                + " 250ms, 90s, 15m, 2h, 7d or 1h30m");
            }
            long amount = Long.parseLong(text.substring(at, unitAt));
            if (amount > MAX_MILLIS / unit || millis + amount * unit > MAX_MILLIS) {
                throw new IllegalArgumentException("duration is too long: at most 3650d are allowed");
            }
            millis += amount * unit;
            at = end;
        } while (at < text.length());
        return Duration.ofMillis(millis);
    }

    /** Short text with at most two units, such as {@code 1h30m}, {@code 1m14s} or {@code 8.3s}. */
    public static String show(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 0) {
            return "-" + show(duration.negated());
        }
        if (millis < 1000) {
            return millis + "ms";
        }
        if (millis < 60_000) {
            long tenths = millis / 100;
            return tenths % 10 == 0 ? tenths / 10 + "s" : tenths / 10 + "." + tenths % 10 + "s";
        }
        long seconds = millis / 1000;
        if (seconds < 3600) {
            return two(seconds, 60, "m", "s");
        }
        return seconds < 86_400 ? two(seconds / 60, 60, "h", "m") : two(seconds / 3600, 24, "d", "h");
    }

    private static String two(long amount, long base, String large, String small) {
        return amount % base == 0 ? amount / base + large : amount / base + large + amount % base + small;
    }

    private static long unitMillis(String unit) {
        return switch (unit) {
            case "ms" -> 1;
            case "s" -> 1000;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            case "d" -> 86_400_000;
            default -> 0;
        };
    }
}
