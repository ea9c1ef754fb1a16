package dev.leasehold.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The times of a lease, validated together.
 *
 * <p>Required: {@code 2 x heartbeat + grace + margin < ttl}. Then one renewal may fail, and if the
 * next fails too, the work still has its grace to stop before the store may grant the lease to
 * another holder.
 *
 * @param ttl how long a grant lasts without renewal
 * @param heartbeat the time between renewals
 * @param grace how long the work has to stop after it was asked to
 * @param minHold how long the name stays taken even after an early release
 * @param progressWithin how long the work may run without reporting progress, or null for no limit
 */
public record LeaseTerms(
        Duration ttl, Duration heartbeat, Duration grace, Duration minHold, @Nullable Duration progressWithin) {
    public static final Duration MIN_TTL = Duration.ofMillis(100);
    public static final Duration MAX_TTL = Duration.ofDays(366);
    public static final Duration DEFAULT_TTL = Duration.ofSeconds(90);
    private static final Duration MAX_DEFAULT_GRACE = Duration.ofSeconds(5);

    public static final LeaseTerms DEFAULT = ofTtl(DEFAULT_TTL);

    public LeaseTerms {
        requireInRange(ttl);
        requirePositive("heartbeat", heartbeat);
        requireNotNegative("grace", grace);
        requireNotNegative("min-hold", minHold);
        if (progressWithin != null) {
            requirePositive("progress-within", progressWithin);
        }
        Duration margin = fraction(ttl, 10);
        Duration needed = heartbeat.plus(heartbeat).plus(grace).plus(margin);
        if (needed.compareTo(ttl) >= 0) {
            throw new IllegalArgumentException("these times cannot work: 2 x heartbeat (" + DurationText.show(heartbeat)
                    + ") + grace (" + DurationText.show(grace) + ") + margin (ttl/10 = " + DurationText.show(margin)
                    + ") = " + DurationText.show(needed) + ", which must be less than the ttl of "
                    + DurationText.show(ttl) + "; raise the ttl, or lower heartbeat or grace");
        }
    }

    /** Terms with defaults derived from the ttl: heartbeat ttl/3, grace min(5s, ttl/10). */
    public static LeaseTerms ofTtl(Duration ttl) {
        requireInRange(ttl);
        Duration tenth = fraction(ttl, 10);
        Duration grace = tenth.compareTo(MAX_DEFAULT_GRACE) < 0 ? tenth : MAX_DEFAULT_GRACE;
        return new LeaseTerms(ttl, fraction(ttl, 3), grace, Duration.ZERO, null);
    }

    public LeaseTerms withHeartbeat(Duration value) {
        return new LeaseTerms(ttl, value, grace, minHold, progressWithin);
    }

    public LeaseTerms withGrace(Duration value) {
        return new LeaseTerms(ttl, heartbeat, value, minHold, progressWithin);
    }

    public LeaseTerms withMinHold(Duration value) {
        return new LeaseTerms(ttl, heartbeat, grace, value, progressWithin);
    }

    public LeaseTerms withProgressWithin(Duration value) {
        return new LeaseTerms(ttl, heartbeat, grace, minHold, value);
    }

    /**
     * The part of the ttl that the holder does not trust, so that its deadline comes before the
     * store's even if clock rates differ.
     */
    public Duration margin() {
        return fraction(ttl, 10);
    }

    /**
     * How long a holder may trust its lease, counted from the start of the latest successful call.
     */
    public Duration trustedFor() {
        return ttl.minus(margin());
    }

    private static void requireInRange(Duration ttl) {
        if (ttl.compareTo(MIN_TTL) < 0 || ttl.compareTo(MAX_TTL) > 0) {
            throw new IllegalArgumentException("ttl " + DurationText.show(ttl) + " is out of range: it must be between "
                    + DurationText.show(MIN_TTL) + " and " + DurationText.show(MAX_TTL));
        }
    }

    /**
     * In whole nanoseconds, because Duration.dividedBy uses BigDecimal, which noticeably slows
     * start-up.
     */
    private static Duration fraction(Duration of, long parts) {
        return Duration.ofNanos(of.toNanos() / parts);
    }

    private static void requirePositive(String what, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(what + " must be more than zero");
        }
    }

    private static void requireNotNegative(String what, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(what + " must not be negative");
        }
    }
}
