package dev.leasehold.internal;

import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Loss;
import dev.leasehold.spi.ClockReading;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a holder knows about one grant: how long it may trust it, when it was renewed, when the work
 * last made progress, and whether it is over. Trust counts from the clocks read <em>before</em> the
 * latest successful call, so it ends before the store's own deadline. Thread-safe.
 */
public final class HeldGrant {
    private static final long MIN_RETRY_NANOS = 10_000_000L;
    private static final long MAX_RETRY_NANOS = 1_000_000_000L;

    /** Called by the thread that watches all leases, so its methods must be quick. */
    public interface Observer {
        void renewed(Duration gap);

        void lost(Loss loss);
    }

    private final Grant grant;
    private final LeaseTerms terms;
    private final Observer observer;
    private final ClockReading acquired;
    private ClockReading trustedFrom;
    private ClockReading lastAsked;
    private ClockReading progressed;
    private long retryNanos;
    private @Nullable String failure;
    private @Nullable Loss loss;
    private boolean closed;

    /** @param asked the clocks before the call that was granted */
    public HeldGrant(Grant grant, LeaseTerms terms, ClockReading asked, Observer observer) {
        this.grant = grant;
        this.terms = terms;
        this.observer = observer;
        this.acquired = asked;
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

    Observer observer() {
        return observer;
    }

    /** The time since the grant was asked for. */
    public Duration heldFor(ClockReading now) {
        return acquired.elapsedUntil(now);
    }

    /** How long the holder may still act on this grant; zero if it may not. */
    public synchronized Duration remaining(ClockReading now) {
        if (isOver()) {
            return Duration.ZERO;
        }
        return Duration.ofNanos(Math.max(0, nanosTrusted(now)));
    }

    public synchronized @Nullable Loss loss() {
        return loss;
    }

    /** True once: only the first loss counts, and a closed grant cannot be lost. */
    synchronized boolean lose(Loss reason) {
        if (isOver()) {
            return false;
        }
        loss = reason;
        return true;
    }

    /** Ends renewals and losses. False if it was closed before. */
    public synchronized boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    synchronized boolean isOver() {
        return closed || loss != null;
    }

    /** Returns the time since the renewal before this one. */
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
        // Often enough for several tries within the trusted time, seldom enough to spare a store
        // that is down.
        retryNanos = Math.min(
                MAX_RETRY_NANOS, Math.max(MIN_RETRY_NANOS, terms.heartbeat().toNanos() / 8));
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

    /** Close enough to its renewal to join one that is sent now. */
    synchronized boolean isNearlyDue(ClockReading now) {
        return nanosUntilDue(now) <= terms.heartbeat().toNanos() / 4;
    }

    /** After a store did not answer, it is not asked again before the next try is due. */
    synchronized boolean mayAskAboutProgress(ClockReading now) {
        return failure == null || nanosUntilDue(now) <= 0;
    }

    synchronized long nanosTrusted(ClockReading now) {
        return terms.trustedFor().toNanos() - trustedFrom.nanosUntil(now);
    }

    /** When the heartbeat has to check this lease again. */
    synchronized long nanosUntilNextLook(ClockReading now) {
        long look = Math.min(nanosUntilDue(now), nanosTrusted(now));
        Duration limit = terms.progressWithin();
        return limit == null || failure != null ? look : Math.min(look, limit.toNanos() - progressed.nanosUntil(now));
    }
}
