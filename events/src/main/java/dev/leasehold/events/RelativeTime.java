package dev.leasehold.events;

import dev.leasehold.model.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Instants in a readable form. */
public final class RelativeTime {
    private RelativeTime() {}

    public static String ago(Instant then, Instant now) {
        return age(then, now) + " ago";
    }

    public static String age(Instant then, Instant now) {
        Duration age = Duration.between(then, now);
        return age.isNegative() ? "0s" : DurationText.show(age);
    }

    /** To the second, in UTC. */
    public static String at(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
