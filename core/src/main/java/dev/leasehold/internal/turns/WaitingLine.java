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

    /** Returns whether the place was in the line. */
    boolean remove(Place place) {
        return places.remove(place);
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
    void wakeFirst(long askAt) {
        for (Place place : places) {
            if (!signalled.contains(place)) {
                signal(place, askAt);
                return;
            }
        }
    }

    boolean wakeAll() {
        long now = System.nanoTime();
        places.forEach(place -> signal(place, now));
        return !places.isEmpty();
    }

    boolean signal(Place place, long askAt) {
        place.sendToAsk(askAt, !signalled.add(place));
        return true;
    }

    boolean isSignalled(Place place) {
        return signalled.contains(place);
    }

    /** Returns whether it was signalled. */
    boolean takeSignal(Place place) {
        return signalled.remove(place);
    }

    boolean heard(TurnMessage message, Ids ids) {
        if (message instanceof TurnMessage.Freed free) {
            becameFree(free, ids);
        } else if (message instanceof TurnMessage.Granted grant) {
            grantedToSomeone(grant.token(), grant.ttl());
        } else if (message instanceof TurnMessage.Crowded crowded) {
            widen(TurnWindow.of(crowded.window()));
        }
        return !places.isEmpty();
    }

    private void becameFree(TurnMessage.Freed message, Ids ids) {
        freed = Math.max(freed, message.token() == 0 ? granted : message.token());
        if (!message.window().isZero()) {
            window = TurnWindow.of(message.window());
        }
        wakeFirst(System.nanoTime() + (window.isOpen() ? ids.below(window.nanos()) : 0));
    }

    /** Several processes may find at the same time that too many ask in vain. */
    private void widen(TurnWindow atLeast) {
        window = atLeast.nanos() > window.nanos() ? atLeast : window;
    }

    /** The lease was granted. If that is news, those that are about to ask need not do so. */
    private void grantedToSomeone(long token, Duration ttl) {
        granted = Math.max(granted, token);
        if (token > freed) {
            signalled.removeIf(place -> place.holdsBack(ttl));
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

    void asks() {
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
