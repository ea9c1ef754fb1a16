package dev.leasehold.internal.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header Date of an answer, as in {@code Tue, 18 Nov 2025 04:47:32 GMT}. The formatters of the JDK
 * take longer to load than a call.
 */
public final class HttpDate {
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

    private HttpDate() {}

    /** Null if the text is no such date, or is null. */
    public static @Nullable Instant parse(@Nullable String text) {
        if (text == null || text.length() != 29 || !text.endsWith(" GMT")) {
            return null;
        }
        int month = MONTHS.indexOf(text.substring(8, 11));
        try {
            return month < 0 || month % 3 != 0
                    ? null
                    : LocalDateTime.of(
                                    number(text, 12, 16),
                                    month / 3 + 1,
                                    number(text, 5, 7),
                                    number(text, 17, 19),
                                    number(text, 20, 22),
                                    Math.min(59, number(text, 23, 25)))
                            .toInstant(ZoneOffset.UTC);
        } catch (NumberFormatException | DateTimeException e) {
            return null;
        }
    }

    private static int number(String text, int from, int to) {
        return Integer.parseInt(text.substring(from, to));
    }
}
