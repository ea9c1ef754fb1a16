package dev.leasehold.internal;

import dev.leasehold.model.Acquisition;
import dev.leasehold.spi.Ids;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

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
    /** Nobody waits longer, and it is a number of nanoseconds that can be added to another. */
    private static final Duration LONGEST_WAIT = Duration.ofDays(365);

    static final Duration LONGEST_BELIEVED = Duration.ofSeconds(30);

    /** Names without waiters whose windows are remembered: for the release, and because the process probably waits again. */
    private static final int MOST_REMEMBERED = 1000;

    /** How often a process asks in vain before it tells the others. */
    private static final int MOST_VAIN = 3;

    private static final int MOST_MESSAGES = 1000;
    private static final int IDLE_SECONDS = 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Line> lines = new HashMap<>();
    private final Ids ids;
    private final Announcer announcer;
    private int remembered;
    private volatile boolean used;

    private @Nullable ExecutorService messenger;
    private boolean closed;

    /** Sends a message to all processes that wait for a name. */
    @FunctionalInterface
    public interface Announcer {
        /** May throw if the message cannot be sent. */
        void announce(String name, TurnMessage.Notice message);
    }

    public WaitingLines(Ids ids, Announcer announcer) {
        this.ids = ids;
        this.announcer = announcer;
    }

    /** The place at the end of the line. */
    public Place join(String name) {
        lock.lock();
        try {
            used = true;
            Line line = lines.computeIfAbsent(name, n -> new Line());
            if (line.remembered) {
                line.remembered = false;
                remembered--;
            }
            Place place = new Place(name, line);
            line.places.add(place);
            return place;
        } finally {
            lock.unlock();
        }
    }

    /** Whether someone waits for this name. */
    public boolean isWaitedFor(String name) {
        lock.lock();
        try {
            Line line = lines.get(name);
            return line != null && !line.remembered;
        } finally {
            lock.unlock();
        }
    }

    /** The names that someone waits for. */
    public List<String> names() {
        lock.lock();
        try {
            return lines.entrySet().stream()
                    .filter(entry -> !entry.getValue().remembered)
                    .map(Map.Entry::getKey)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** Whether nobody waits for any name. */
    public boolean isEmpty() {
        lock.lock();
        try {
            return lines.size() == remembered;
        } finally {
            lock.unlock();
        }
    }

    /** What a process has told those that wait for this name, perhaps this one. */
    public void heard(String name, TurnMessage message) {
        lock.lock();
        try {
            Line line = lines.get(name);
            if (line == null) {
                return;
            }
            if (message instanceof TurnMessage.Freed freed) {
                line.becameFree(freed);
                line.wakeFirst(System.nanoTime() + (line.window.isOpen() ? ids.below(line.window.nanos()) : 0));
            } else if (message instanceof TurnMessage.Granted granted) {
                line.holdBack(granted.token(), granted.ttl());
            } else if (message instanceof TurnMessage.Crowded crowded) {
                line.widen(TurnWindow.of(crowded.window()));
            }
        } finally {
            lock.unlock();
        }
    }

    /** How long those that wait should let pass at most after this process releases the name; for its message. */
    public long windowMicros(String name) {
        if (!used) {
            return 0;
        }
        lock.lock();
        try {
            Line line = lines.get(name);
            return line == null ? 0 : TurnMessage.micros(line.window.length());
        } finally {
            lock.unlock();
        }
    }

    /** Wakes everyone who waits for this name, at once. */
    public void wakeAll(String name) {
        lock.lock();
        try {
            Line line = lines.get(name);
            if (line != null) {
                line.wakeAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** What the store answered to somebody of this process who asked for the lease. */
    public void answered(String name, Acquisition answer, Duration ttl) {
        if (!used) {
            return;
        }
        lock.lock();
        try {
            Line line = lines.get(name);
            if (line == null) {
                return;
            }
            if (answer instanceof Acquisition.Granted granted) {
                grantedToMe(name, line, granted.grant().token().value(), ttl);
            } else if (answer instanceof Acquisition.Busy busy) {
                refused(name, line, busy.token().value());
            }
        } finally {
            lock.unlock();
        }
    }

    private void grantedToMe(String name, Line line, long token, Duration ttl) {
        boolean othersMayBeAboutToAsk = line.window.isOpen();
        line.holdBack(token, ttl);
        line.window = line.window.afterGrant(line.takeVain(token));
        if (othersMayBeAboutToAsk) {
            inBackground(name, new TurnMessage.Granted(token, ttl));
        }
        if (line.places.isEmpty()) {
            rememberOrRemove(name, line);
        }
    }

    /** A process that is never granted the lease must tell the others, because nobody else knows. */
    private void refused(String name, Line line, long token) {
        line.refused(token);
        if (line.vain >= MOST_VAIN) {
            line.widen(line.window.afterVain(line.vain));
            line.vain = 0;
            inBackground(name, new TurnMessage.Crowded(line.window.length()));
        }
    }

    /** The caller may have the lease, and should not wait for the message or be interrupted in it. */
    private void inBackground(String name, TurnMessage.Notice message) {
        if (closed) {
            return;
        }
        if (messenger == null) {
            messenger = messenger();
        }
        try {
            messenger.execute(() -> send(name, message));
        } catch (OutOfMemoryError noThread) {
            // The others ask in vain.
        }
    }

    private static ExecutorService messenger() {
        ThreadPoolExecutor one = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_MESSAGES),
                work -> {
                    Thread thread = new Thread(work, "leasehold-announce");
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    private void send(String name, TurnMessage.Notice message) {
        try {
            announcer.announce(name, message);
        } catch (RuntimeException e) {
            // The others ask in vain.
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (messenger != null) {
                messenger.shutdownNow();
            }
            lines.values().forEach(Line::wakeAll);
        } finally {
            lock.unlock();
        }
    }

    private void rememberOrRemove(String name, Line line) {
        if (line.remembered) {
            lines.remove(name);
            remembered--;
            line.remembered = false;
        }
        if (!line.window.isOpen()) {
            lines.remove(name);
            return;
        }
        if (remembered == MOST_REMEMBERED) {
            lines.values().removeIf(other -> other.remembered);
            remembered = 0;
        }
        lines.put(name, line);
        line.remembered = true;
        remembered++;
    }

    private static final class Line {
        /** In the order of arrival. */
        private final Set<Place> places = new LinkedHashSet<>();

        private TurnWindow window = TurnWindow.NONE;

        /** Whether nobody waits here, and only the window is kept. */
        private boolean remembered;

        /** The highest token of a grant that is known to have ended. */
        private long freed;

        /** The highest token that is known to have been granted. */
        private long granted;

        /** Whether a waiter was sent to ask, and its answer is not known. */
        private boolean asking;

        /** How often this process asked in vain since its latest grant, and the token of whoever was faster the last time. */
        private int vain;

        private long faster;

        /** The token of the latest grant to this process. */
        private long mine;

        /** The first that has no signal yet. */
        void wakeFirst(long askAt) {
            for (Place place : places) {
                if (!place.signalled) {
                    place.signal(askAt);
                    return;
                }
            }
        }

        void wakeAll() {
            long now = System.nanoTime();
            places.forEach(place -> place.signal(now));
        }

        void becameFree(TurnMessage.Freed message) {
            freed = Math.max(freed, message.token() == 0 ? granted : message.token());
            if (!message.window().isZero()) {
                window = TurnWindow.of(message.window());
            }
        }

        /** Several processes may find at the same time that too many ask in vain. */
        void widen(TurnWindow atLeast) {
            window = atLeast.nanos() > window.nanos() ? atLeast : window;
        }

        /** The lease was granted. If that is news, those that are about to ask need not do so. */
        void holdBack(long token, Duration ttl) {
            granted = Math.max(granted, token);
            if (token > freed) {
                places.forEach(place -> place.holdBack(ttl));
            }
        }

        void refused(long token) {
            if (asking && freed > 0 && token > freed && token != mine) {
                vain++;
                faster = token;
            }
            asking = false;
        }

        /** Another thread of this process is no competitor, so its grant is not counted. */
        int takeVain(long token) {
            int counted = faster == token ? vain - 1 : vain;
            mine = token;
            vain = 0;
            faster = 0;
            asking = false;
            return counted;
        }
    }

    /** A waiter's place in a line. */
    public final class Place {
        private final String name;
        private final Line line;
        private final Condition changed = lock.newCondition();
        private boolean signalled;
        /** When to ask, if signalled. */
        private long askAt;

        /** Whether a signal was withdrawn, and until when to wait then. */
        private boolean heldBack;

        private long heldBackUntil;

        private Place(String name, Line line) {
            this.name = name;
            this.line = line;
        }

        /** Wakes this waiter alone, at once. */
        public void wake() {
            lock.lock();
            try {
                signal(System.nanoTime());
            } finally {
                lock.unlock();
            }
        }

        /** Waits until the store should be asked. Several signals count as one. */
        public void await(Duration atMost) throws InterruptedException {
            lock.lockInterruptibly();
            try {
                long end = System.nanoTime() + nanos(atMost);
                for (long now = System.nanoTime(); !isOver(now, end); now = System.nanoTime()) {
                    changed.awaitNanos(until(end) - now);
                }
                line.asking |= signalled;
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
            lock.lock();
            try {
                if (!line.places.remove(this)) {
                    return;
                }
                if (signalled) {
                    line.wakeFirst(askAt);
                }
                if (line.places.isEmpty()) {
                    rememberOrRemove(name, line);
                }
            } finally {
                lock.unlock();
            }
        }

        private void signal(long at) {
            // The earlier one of two signals serves both.
            if (!signalled || at - askAt < 0) {
                askAt = at;
            }
            signalled = true;
            changed.signal();
        }

        /** The lease was granted to somebody else: do not ask now, but when it may have expired. */
        private void holdBack(Duration ttl) {
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
