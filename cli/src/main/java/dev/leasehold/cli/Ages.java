package dev.leasehold.cli;

import dev.leasehold.model.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Instants as people like to read them. */
final class Ages {
    private Ages() {}

    static String ago(Instant then, Instant now) {
        return age(then, now) + " ago";
    }

    static String age(Instant then, Instant now) {
        Duration age = Duration.between(then, now);
        return age.isNegative() ? "0s" : DurationText.show(age);
    }

    /** To the second, in UTC. */
    static String at(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
