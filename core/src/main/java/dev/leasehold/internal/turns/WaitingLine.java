package dev.leasehold.internal.turns;

import dev.leasehold.internal.turns.WaitingLines.Place;
import dev.leasehold.spi.Ids;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The waiters of one process for one name, and what it knows of other processes. Its lock guards everything in it. */
final class WaitingLine {
    /** How often a process asks in vain before it tells the others. */
    private static final int MOST_VAIN = 3;

    private final ReentrantLock lock = new ReentrantLock();

    /** In the order of arrival. */
    private final Set<Place> places = new LinkedHashSet<>();

    /** Those that were sent to ask, at once or later: few of many. */
    private final Set<Place> signalled = new LinkedHashSet<>();

    private TurnWindow window = TurnWindow.NONE;

    /** What others, or this process, asked for since the name was free last: the holder may not have heard of it. */
    private TurnWindow asked = TurnWindow.NONE;

    /** The highest token of a grant that is known to have ended. */
    private long freed;

    /** The highest token that somebody told to have been granted, and the latest one that was granted to this process. */
    private long told;

    private long mine;

    /** Whether a waiter was sent to ask because the name became free, and its answer is not known. */
    private boolean asking;

    /** How often this process asked in vain since its latest grant, and the token of whoever was faster the last time. */
    private int vain;

    private long faster;

    /** The same, as long as that one has not told of it: if it never does, to wait longer would not help. */
    private long untold;

    <T> T locked(Supplier<T> step) {
        lock.lock();
        try {
            return step.get();
        } finally {
            lock.unlock();
        }
    }

    void lockInterruptibly() throws InterruptedException {
        lock.lockInterruptibly();
    }

    void unlock() {
        lock.unlock();
    }

    Condition newCondition() {
        return lock.newCondition();
    }

    boolean add(Place place) {
        return places.add(place);
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    /** Whether nobody waits, and there is nothing to remember. */
    boolean isUseless() {
        return places.isEmpty() && !window.isOpen();
    }

    TurnWindow window() {
        return window;
    }

    /** The first that has no signal yet. */
    private void wakeFirst(long askAt, boolean becauseFree) {
        for (Place place : places) {
            if (!signalled.contains(place)) {
                signal(place, askAt, becauseFree);
                return;
            }
        }
    }

    boolean wakeAll() {
        places.forEach(this::wake);
        return !places.isEmpty();
    }

    boolean wake(Place place) {
        signal(place, System.nanoTime(), false);
        return true;
    }

    private void signal(Place place, long askAt, boolean becauseFree) {
        place.sendToAsk(askAt, becauseFree, !signalled.add(place));
    }

    boolean isSignalled(Place place) {
        return signalled.contains(place);
    }

    void takeSignal(Place place) {
        asking |= signalled.remove(place) && place.asksBecauseFree();
    }

    /** Returns whether the place was in the line. What it has not used goes to the next one. */
    boolean remove(Place place) {
        boolean removed = places.remove(place);
        if (signalled.remove(place)) {
            wakeFirst(place.askAt(), place.asksBecauseFree());
        }
        places.stream().findFirst().ifPresent(place::passOn);
        return removed;
    }

    /** Returns what to tell the others. */
    Optional<TurnMessage.Notice> heard(TurnMessage message, Ids ids) {
        if (message instanceof TurnMessage.Freed free) {
            becameFree(free, ids);
        } else if (message instanceof TurnMessage.Crowded crowded) {
            widen(TurnWindow.of(crowded.window()));
        } else if (message instanceof TurnMessage.Granted grant) {
            told = Math.max(told, grant.token());
            holdBack(grant.token(), grant.ttl());
            if (grant.token() == untold) {
                untold = 0;
                return countVain();
            }
        }
        return Optional.empty();
    }

    private void becameFree(TurnMessage.Freed message, Ids ids) {
        freed = Math.max(freed, message.token() == 0 ? Math.max(told, mine) : message.token());
        // Who did not wait knows no window, but it had its turn as well.
        window = message.window().isZero() ? window.afterGrant(0) : TurnWindow.of(message.window());
        window = longer(window, asked);
        asked = TurnWindow.NONE;
        wakeFirst(System.nanoTime() + (window.isOpen() ? ids.below(window.nanos()) : 0), true);
    }

    /** Several processes may find at the same time that too many ask in vain. */
    private void widen(TurnWindow atLeast) {
        asked = longer(asked, atLeast);
        window = longer(window, atLeast);
    }

    private static TurnWindow longer(TurnWindow a, TurnWindow b) {
        return a.nanos() > b.nanos() ? a : b;
    }

    /** If the grant is news, those that are about to ask need not do so. */
    private void holdBack(long token, Duration ttl) {
        if (token > freed) {
            signalled.removeIf(place -> place.holdsBack(ttl));
        }
    }

    /** Returns whether others may be about to ask. */
    boolean grantedToMe(long token, Duration ttl) {
        boolean othersWait = window.isOpen();
        // A thread that was slower than this one has not asked in vain: both belong to this process.
        int own = faster == token && untold != token ? 1 : 0;
        window = window.afterGrant(Math.max(0, vain - own));
        mine = token;
        vain = 0;
        untold = 0;
        asking = false;
        holdBack(token, ttl);
        return othersWait;
    }

    /** Returns what to tell the others. */
    Optional<TurnMessage.Notice> refused(long token) {
        boolean inVain = asking && freed > 0 && token > freed && token != mine && token != faster;
        asking = false;
        if (!inVain) {
            return Optional.empty();
        }
        faster = token;
        if (window.isOpen() && token > told) {
            untold = token;
            return Optional.empty();
        }
        return countVain();
    }

    /** Who is never granted the lease must tell the others, because nobody else knows. */
    private Optional<TurnMessage.Notice> countVain() {
        vain++;
        if (vain < MOST_VAIN) {
            return Optional.empty();
        }
        widen(window.afterVain(vain));
        vain = 0;
        return Optional.of(new TurnMessage.Crowded(window.length()));
    }
}
