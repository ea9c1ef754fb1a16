package dev.leasehold.internal.turns;

import dev.leasehold.model.Acquisition;
import dev.leasehold.spi.Ids;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.function.Predicate;

/**
 * The waiters of one process, a line for each name, and when each of them should ask the store.
 *
 * <p>A name that becomes free wakes only the first in its line: if it gets the lease, the others would ask in vain. A waiter
 * that leaves without using its signal passes it on.
 *
 * <p>The same holds among processes, which cannot see each other's lines. Where several compete for a name, each lets a random
 * part of a {@link TurnWindow} pass before it asks, and does not ask if it hears meanwhile that another process has the lease. The
 * message that the name is free carries the window, so that all use the same, also those that have just come. Where
 * nobody asks in vain, nobody waits and nobody sends a message.
 *
 * <p>Messages may be lost, late or forged. They decide only when a waiter asks: the store decides who gets the lease. A waiter
 * that did not ask because of a message asks again after {@link #LONGEST_BELIEVED} at the latest. Safe for use by many threads.
 */
public final class WaitingLines implements AutoCloseable {
    static final Duration LONGEST_BELIEVED = Duration.ofSeconds(30);

    /** Nobody waits longer, and it is a number of nanoseconds that can be added to another. */
    private static final Duration LONGEST_WAIT = Duration.ofDays(365);

    private static final int MOST_REMEMBERED = 1000;

    /** Also some lines without waiters, for their windows: the release needs them, and the process probably waits again. */
    private final Map<String, WaitingLine> lines = new ConcurrentHashMap<>();

    private final AtomicInteger waiting = new AtomicInteger();
    private final Ids ids;
    private final Announcements announcements;
    private volatile boolean used;

    /** Sends a message to all processes that wait for a name. */
    @FunctionalInterface
    public interface Announcer {
        /** May throw if the message cannot be sent. */
        void announce(String name, TurnMessage.Notice message);
    }

    public WaitingLines(Ids ids, Announcer announcer) {
        this.ids = ids;
        this.announcements = new Announcements(announcer);
    }

    /** The place at the end of the line. */
    public Place join(String name) {
        used = true;
        waiting.incrementAndGet();
        Place[] joined = new Place[1];
        lines.compute(name, (n, known) -> {
            WaitingLine line = known == null ? new WaitingLine() : known;
            joined[0] = new Place(n, line);
            line.locked(() -> line.add(joined[0]));
            return line;
        });
        return joined[0];
    }

    /** Whether somebody has ever waited. If not, there is nothing to tell and nothing to ask. */
    public boolean isUsed() {
        return used;
    }

    /** Whether someone waits for this name. */
    public boolean isWaitedFor(String name) {
        WaitingLine line = lines.get(name);
        return line != null && !line.locked(line::isEmpty);
    }

    /** The names that someone waits for. */
    public List<String> names() {
        return lines.keySet().stream().filter(this::isWaitedFor).toList();
    }

    /** Whether nobody waits for any name. */
    public boolean isEmpty() {
        return waiting.get() == 0;
    }

    /** What a process has told those that wait for this name, perhaps this one. */
    public void heard(String name, TurnMessage message) {
        WaitingLine line = lines.get(name);
        if (line != null) {
            line.locked(() -> line.heard(message, ids)).ifPresent(notice -> announcements.send(name, notice));
        }
    }

    /** How long those that wait should let pass at most after this process releases the name; for its message. */
    public long windowMicros(String name) {
        WaitingLine line = used ? lines.get(name) : null;
        return line == null ? 0 : TurnMessage.micros(line.locked(line::window).length());
    }

    /** Wakes everyone who waits for this name, at once. */
    public void wakeAll(String name) {
        WaitingLine line = lines.get(name);
        if (line != null) {
            line.locked(line::wakeAll);
        }
    }

    /** What the store answered to somebody of this process who asked for the lease. */
    public void answered(String name, Acquisition answer, Duration ttl) {
        WaitingLine line = used ? lines.get(name) : null;
        if (line == null) {
            return;
        }
        if (answer instanceof Acquisition.Granted granted) {
            long token = granted.grant().token().value();
            if (line.locked(() -> line.grantedToMe(token, ttl))) {
                announcements.send(name, new TurnMessage.Granted(token, ttl));
            }
        } else if (answer instanceof Acquisition.Busy busy) {
            line.locked(() -> line.refused(busy.token().value())).ifPresent(notice -> announcements.send(name, notice));
        }
    }

    private void left(String name) {
        waiting.decrementAndGet();
        removeIf(name, WaitingLine::isUseless);
        if (lines.size() > MOST_REMEMBERED + waiting.get()) {
            lines.keySet().forEach(each -> removeIf(each, WaitingLine::isEmpty));
        }
    }

    /** In one step, because somebody may be about to join the line. */
    private void removeIf(String name, Predicate<WaitingLine> condition) {
        lines.computeIfPresent(name, (n, line) -> line.locked(() -> condition.test(line)) ? null : line);
    }

    @Override
    public void close() {
        announcements.close();
        lines.keySet().forEach(this::wakeAll);
    }

    /** A waiter's place in a line. */
    public final class Place {
        private final String name;
        private final WaitingLine line;
        private final Condition changed;
        /** When to ask, if signalled. */
        private long askAt;

        private boolean asksBecauseFree;

        /** Whether a signal was withdrawn, and until when to wait then. */
        private boolean heldBack;

        private long heldBackUntil;

        private Place(String name, WaitingLine line) {
            this.name = name;
            this.line = line;
            this.changed = line.newCondition();
        }

        /** Wakes this waiter alone, at once. */
        public void wake() {
            line.locked(() -> line.wake(this));
        }

        /** Waits until the store should be asked. Several signals count as one. */
        public void await(Duration atMost) throws InterruptedException {
            line.lockInterruptibly();
            try {
                long end = System.nanoTime() + nanos(atMost);
                for (long now = System.nanoTime(); !isOver(now, end); now = System.nanoTime()) {
                    changed.awaitNanos(until(end) - now);
                }
                line.takeSignal(this);
                heldBack = false;
            } finally {
                line.unlock();
            }
        }

        private boolean isOver(long now, long end) {
            return until(end) - now <= 0;
        }

        /** Until when to wait, as things stand. */
        private long until(long end) {
            long until = end;
            if (line.isSignalled(this) && askAt - until < 0) {
                until = askAt;
            }
            if (heldBack && heldBackUntil - until < 0) {
                until = heldBackUntil;
            }
            return until;
        }

        /** Leaves the line; a signal that was not used goes to the next one. */
        public void leave() {
            if (line.locked(() -> line.remove(this))) {
                left(name);
            }
        }

        long askAt() {
            return askAt;
        }

        boolean asksBecauseFree() {
            return asksBecauseFree;
        }

        /** The earlier one of two signals serves both. */
        void sendToAsk(long at, boolean becauseFree, boolean again) {
            askAt = again && askAt - at < 0 ? askAt : at;
            asksBecauseFree = becauseFree || (again && asksBecauseFree);
            changed.signal();
        }

        /** To the one that is first now, in the place of this one. */
        void passOn(Place first) {
            if (heldBack) {
                first.holdBackUntil(heldBackUntil);
                first.changed.signal();
            }
        }

        private void holdBackUntil(long until) {
            heldBackUntil = heldBack && heldBackUntil - until < 0 ? heldBackUntil : until;
            heldBack = true;
        }

        /** The lease was granted to somebody else: do not ask now, but when it may have expired. False if it is too late. */
        boolean holdsBack(Duration ttl) {
            long now = System.nanoTime();
            if (askAt - now <= 0) {
                return false;
            }
            holdBackUntil(now + nanos(ttl.compareTo(LONGEST_BELIEVED) < 0 ? ttl : LONGEST_BELIEVED));
            return true;
        }
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(LONGEST_WAIT) < 0 ? duration.toNanos() : LONGEST_WAIT.toNanos();
    }
}
