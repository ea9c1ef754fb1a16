package dev.leasehold;

import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened to a run, for people to read later.
 *
 * @param kind {@code ran}, {@code failed}, {@code skipped_overlap}, {@code lost}, {@code timed_out}, {@code refused}; also
 *     the name of the counter that rises
 * @param token the token it ran under, null where it got none
 */
public record RunEntry(
        Instant at, String kind, @Nullable FencingToken token, Holder holder, Duration duration, String detail) {}
