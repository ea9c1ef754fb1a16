package dev.leasehold.internal.turns;

import dev.leasehold.internal.turns.WaitingLines.Place;
import dev.leasehold.spi.Ids;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** The waiters of one process for one name, and what it knows of other processes. Not safe for use by many threads. */
final class WaitingLine {
    /** How often a process asks in vain before it tells the others. */
    private static final int MOST_VAIN = 3;

    /** In the order of arrival. */
    private final Set<Place> places = new LinkedHashSet<>();

    private TurnWindow window = TurnWindow.NONE;

    /** The highest token of a grant that is known to have ended. */
    private long freed;

    /** The highest token that is known to have been granted, and the latest one that was granted to this process. */
    private long granted;

    private long mine;

    /** Whether a waiter was sent to ask, and its answer is not known. */
    private boolean asking;

    /** How often this process asked in vain since its latest grant, and the token of whoever was faster the last time. */
    private int vain;

    private long faster;

    void add(Place place) {
        places.add(place);
    }

    /** Returns whether the place was in the line. */
    boolean remove(Place place) {
        return places.remove(place);
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    TurnWindow window() {
        return window;
    }

    /** The first that has no signal yet. */
    void wakeFirst(long askAt) {
        for (Place place : places) {
            if (!place.isSignalled()) {
                place.signal(askAt);
                return;
            }
        }
    }

    void wakeAll(long now) {
        places.forEach(place -> place.signal(now));
    }

    void becameFree(TurnMessage.Freed message, long now, Ids ids) {
        freed = Math.max(freed, message.token() == 0 ? granted : message.token());
        if (!message.window().isZero()) {
            window = TurnWindow.of(message.window());
        }
        wakeFirst(now + (window.isOpen() ? ids.below(window.nanos()) : 0));
    }

    /** Several processes may find at the same time that too many ask in vain. */
    void widen(TurnWindow atLeast) {
        window = atLeast.nanos() > window.nanos() ? atLeast : window;
    }

    /** The lease was granted. If that is news, those that are about to ask need not do so. */
    void grantedToSomeone(long token, Duration ttl) {
        granted = Math.max(granted, token);
        if (token > freed) {
            places.forEach(place -> place.holdBack(ttl));
        }
    }

    /** Returns whether others may be about to ask. */
    boolean grantedToMe(long token, Duration ttl) {
        boolean othersWait = window.isOpen();
        // A thread that was slower than this one has not asked in vain: both belong to this process.
        window = window.afterGrant(faster == token ? vain - 1 : vain);
        mine = token;
        vain = 0;
        asking = false;
        grantedToSomeone(token, ttl);
        return othersWait;
    }

    void sentToAsk() {
        asking = true;
    }

    /** Returns what to tell the others. Who is never granted the lease must do so, because nobody else knows. */
    Optional<TurnMessage.Notice> refused(long token) {
        boolean inVain = asking && freed > 0 && token > freed && token != mine;
        asking = false;
        if (!inVain) {
            return Optional.empty();
        }
        vain++;
        faster = token;
        if (vain < MOST_VAIN) {
            return Optional.empty();
        }
        widen(window.afterVain(vain));
        vain = 0;
        faster = 0;
        return Optional.of(new TurnMessage.Crowded(window.length()));
    }
}
