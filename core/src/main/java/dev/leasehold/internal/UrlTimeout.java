package dev.leasehold.internal;

import dev.leasehold.model.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The timeout in the URL of a store: long enough for an answer, and short enough for a ttl. */
public final class UrlTimeout {
    /** Ends with an example. */
    public static final String FORM = "a timeout is a duration from 10ms to 1m, such as timeout=";

    private static final Duration MIN = Duration.ofMillis(10);
    private static final Duration MAX = Duration.ofMinutes(1);

    private UrlTimeout() {}

    /** Null if the text is no such timeout. */
    public static @Nullable Duration parse(String text) {
        try {
            Duration timeout = DurationText.parse(text);
            return timeout.compareTo(MIN) < 0 || timeout.compareTo(MAX) > 0 ? null : timeout;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
