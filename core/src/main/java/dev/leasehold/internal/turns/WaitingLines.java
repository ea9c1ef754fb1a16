package dev.leasehold.internal.turns;

import dev.leasehold.model.Acquisition;
import dev.leasehold.spi.Ids;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

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

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, WaitingLine> lines = new HashMap<>();

    /** Lines without waiters, for their windows: the release needs them, and the process probably waits again. */
    private final Map<String, WaitingLine> remembered = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, WaitingLine> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

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
        return locked(() -> {
            used = true;
            WaitingLine line = lines.computeIfAbsent(name, n -> {
                WaitingLine known = remembered.remove(n);
                return known == null ? new WaitingLine() : known;
            });
            Place place = new Place(name, line);
            line.add(place);
            return place;
        });
    }

    /** Whether someone waits for this name. */
    public boolean isWaitedFor(String name) {
        return locked(() -> lines.containsKey(name));
    }

    /** The names that someone waits for. */
    public List<String> names() {
        return locked(() -> List.copyOf(lines.keySet()));
    }

    /** Whether nobody waits for any name. */
    public boolean isEmpty() {
        return locked(lines::isEmpty);
    }

    /** What a process has told those that wait for this name, perhaps this one. */
    public void heard(String name, TurnMessage message) {
        locked(() -> {
            WaitingLine line = lines.get(name);
            if (line == null) {
                return false;
            }
            if (message instanceof TurnMessage.Freed freed) {
                line.becameFree(freed, System.nanoTime(), ids);
            } else if (message instanceof TurnMessage.Granted granted) {
                line.grantedToSomeone(granted.token(), granted.ttl());
            } else if (message instanceof TurnMessage.Crowded crowded) {
                line.widen(TurnWindow.of(crowded.window()));
            }
            return true;
        });
    }

    /** How long those that wait should let pass at most after this process releases the name; for its message. */
    public long windowMicros(String name) {
        return used ? locked(() -> TurnMessage.micros(known(name).window().length())) : 0;
    }

    /** Wakes everyone who waits for this name, at once. */
    public void wakeAll(String name) {
        locked(() -> {
            known(name).wakeAll(System.nanoTime());
            return true;
        });
    }

    /** What the store answered to somebody of this process who asked for the lease. */
    public void answered(String name, Acquisition answer, Duration ttl) {
        if (!used) {
            return;
        }
        locked(() -> {
            WaitingLine line = known(name);
            if (answer instanceof Acquisition.Granted granted) {
                long token = granted.grant().token().value();
                if (line.grantedToMe(token, ttl)) {
                    announcements.send(name, new TurnMessage.Granted(token, ttl));
                }
            } else if (answer instanceof Acquisition.Busy busy) {
                line.refused(busy.token().value()).ifPresent(notice -> announcements.send(name, notice));
            }
            return true;
        });
    }

    /** A line that nobody else sees, if there is none. */
    private WaitingLine known(String name) {
        WaitingLine line = lines.getOrDefault(name, remembered.get(name));
        return line == null ? new WaitingLine() : line;
    }

    @Override
    public void close() {
        announcements.close();
        locked(() -> {
            lines.values().forEach(line -> line.wakeAll(System.nanoTime()));
            return true;
        });
    }

    private <T> T locked(Supplier<T> step) {
        lock.lock();
        try {
            return step.get();
        } finally {
            lock.unlock();
        }
    }

    /** A waiter's place in a line. */
    public final class Place {
        private final String name;
        private final WaitingLine line;
        private final Condition changed = lock.newCondition();
        private boolean signalled;
        /** When to ask, if signalled. */
        private long askAt;

        /** Whether a signal was withdrawn, and until when to wait then. */
        private boolean heldBack;

        private long heldBackUntil;

        private Place(String name, WaitingLine line) {
            this.name = name;
            this.line = line;
        }

        /** Wakes this waiter alone, at once. */
        public void wake() {
            locked(() -> signal(System.nanoTime()));
        }

        /** Waits until the store should be asked. Several signals count as one. */
        public void await(Duration atMost) throws InterruptedException {
            lock.lockInterruptibly();
            try {
                long end = System.nanoTime() + nanos(atMost);
                for (long now = System.nanoTime(); !isOver(now, end); now = System.nanoTime()) {
                    changed.awaitNanos(until(end) - now);
                }
                if (signalled) {
                    line.sentToAsk();
                }
                signalled = false;
                heldBack = false;
            } finally {
                lock.unlock();
            }
        }

        private boolean isOver(long now, long end) {
            return until(end) - now <= 0;
        }

        /** Until when to wait, as things stand. */
        private long until(long end) {
            long until = end;
            if (signalled && askAt - until < 0) {
                until = askAt;
            }
            if (heldBack && heldBackUntil - until < 0) {
                until = heldBackUntil;
            }
            return until;
        }

        /** Leaves the line; a signal that was not used goes to the next one. */
        public void leave() {
            locked(() -> {
                boolean left = line.remove(this);
                if (left && signalled) {
                    line.wakeFirst(askAt);
                }
                if (left && line.isEmpty()) {
                    lines.remove(name);
                    remembered.put(name, line);
                }
                return left;
            });
        }

        boolean isSignalled() {
            return signalled;
        }

        /** The earlier one of two signals serves both. */
        boolean signal(long at) {
            if (!signalled || at - askAt < 0) {
                askAt = at;
            }
            signalled = true;
            changed.signal();
            return true;
        }

        /** The lease was granted to somebody else: do not ask now, but when it may have expired. */
        void holdBack(Duration ttl) {
            long now = System.nanoTime();
            if (signalled && askAt - now > 0) {
                signalled = false;
                heldBack = true;
                heldBackUntil = now + nanos(ttl.compareTo(LONGEST_BELIEVED) < 0 ? ttl : LONGEST_BELIEVED);
            }
        }
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(LONGEST_WAIT) < 0 ? duration.toNanos() : LONGEST_WAIT.toNanos();
    }
}
