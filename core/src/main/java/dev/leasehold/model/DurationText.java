package dev.leasehold.model;

import java.time.Duration;

/** Durations as people write them: {@code 250ms}, {@code 90s}, {@code 15m}, {@code 2h}, {@code 7d}. */
public final class DurationText {
    /** Far beyond any sensible lease, and far below where adding it to an instant could overflow. */
    private static final long MAX_MILLIS = Duration.ofDays(3650).toMillis();

    private DurationText() {}

    public static Duration parse(String text) {
        int digits = 0;
        while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
            digits++;
        }
        long unit = unitMillis(text.substring(digits));
        if (digits == 0 || digits > 13 || unit == 0) {
            throw new IllegalArgumentException(
                    "duration is not understood: write a whole number and a unit, such as 250ms, 90s, 15m, 2h or 7d");
        }
        long amount = Long.parseLong(text.substring(0, digits));
        if (amount > MAX_MILLIS / unit) {
            throw new IllegalArgumentException("duration is too long: at most 3650d are allowed");
        }
        return Duration.ofMillis(amount * unit);
    }

    /** Short and exact enough to read: two units at most, so {@code 1h30m}, {@code 74s} as {@code 1m14s}, {@code 8.3s}. */
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
