package dev.leasehold.internal;

import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Loss;
import dev.leasehold.spi.ClockReading;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a holder knows of one grant: how long it may be trusted, when it was renewed, when the work last made progress, and
 * whether it is over. Trust counts from the stamp taken <em>before</em> the latest successful call, so it ends before the
 * store's own deadline. Thread-safe.
 */
public final class HeldGrant {
    private final Grant grant;
    private final LeaseTerms terms;
    private ClockReading trustedFrom;
    private ClockReading lastAsked;
    private ClockReading progressed;
    private long retryNanos;
    private @Nullable String failure;
    private @Nullable Loss loss;
    private boolean closed;

    public HeldGrant(Grant grant, LeaseTerms terms, ClockReading asked) {
        this.grant = grant;
        this.terms = terms;
        this.trustedFrom = asked;
        this.lastAsked = asked;
        this.progressed = asked;
        this.retryNanos = terms.heartbeat().toNanos();
    }

    public Grant grant() {
        return grant;
    }

    public LeaseTerms terms() {
        return terms;
    }

    /** How long the holder may still act on this grant; zero when it may not. */
    public synchronized Duration remaining(ClockReading now) {
        if (isOver()) {
            return Duration.ZERO;
        }
        return Duration.ofNanos(Math.max(0, nanosTrusted(now)));
    }

    public synchronized @Nullable Loss loss() {
        return loss;
    }

    /** True once: the first reason counts, and a lease that was given back cannot be lost. */
    synchronized boolean lose(Loss reason) {
        if (isOver()) {
            return false;
        }
        loss = reason;
        return true;
    }

    /** From here on nothing is renewed and nothing is lost. False if it was over already. */
    public synchronized boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    synchronized boolean isOver() {
        return closed || loss != null;
    }

    synchronized Duration renewed(ClockReading asked) {
        Duration gap = trustedFrom.elapsedUntil(asked);
        trustedFrom = asked;
        lastAsked = asked;
        retryNanos = terms.heartbeat().toNanos();
        failure = null;
        return gap;
    }

    synchronized void notAnswered(ClockReading asked, String why) {
        failure = why;
        lastAsked = asked;
        // Soon enough for several tries within the trusted time, seldom enough not to storm a store that is down.
        long eighth = terms.heartbeat().toNanos() / 8;
        retryNanos = Math.min(1_000_000_000L, Math.max(10_000_000L, eighth));
    }

    public synchronized void progressed(ClockReading at) {
        // Progress read from the store may be older than what the work reported here.
        if (progressed.nanosUntil(at) > 0) {
            progressed = at;
        }
    }

    synchronized boolean isStuck(ClockReading now) {
        Duration limit = terms.progressWithin();
        return limit != null && progressed.nanosUntil(now) >= limit.toNanos();
    }

    synchronized Loss.NoProgress noProgress(ClockReading now) {
        Duration since = progressed.elapsedUntil(now);
        Duration limit = terms.progressWithin();
        return new Loss.NoProgress(since, limit == null ? since : limit);
    }

    synchronized Loss untrusted(ClockReading now) {
        return failure == null
                ? Loss.Lapsed.unnoticed(trustedFrom.elapsedUntil(now), terms.trustedFor())
                : new Loss.Unreachable(failure);
    }

    synchronized long nanosUntilDue(ClockReading now) {
        return retryNanos - lastAsked.nanosUntil(now);
    }

    /** Close enough to due to go along with a renewal that happens anyway. */
    synchronized boolean isNearlyDue(ClockReading now) {
        return nanosUntilDue(now) <= terms.heartbeat().toNanos() / 4;
    }

    /** A store that did not answer is not asked again before the next try is due. */
    synchronized boolean mayAskAboutProgress(ClockReading now) {
        return failure == null || nanosUntilDue(now) <= 0;
    }

    synchronized long nanosTrusted(ClockReading now) {
        return terms.trustedFor().toNanos() - trustedFrom.nanosUntil(now);
    }

    /** When somebody has to look at this lease again. */
    synchronized long nanosUntilNextLook(ClockReading now) {
        long look = Math.min(nanosUntilDue(now), nanosTrusted(now));
        Duration limit = terms.progressWithin();
        return limit == null || failure != null ? look : Math.min(look, limit.toNanos() - progressed.nanosUntil(now));
    }
}
