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
 * <p>The same holds among processes, which cannot see each other's lines. Once two of them have competed for a name, each tells
 * the others when it is granted the lease. When the name becomes free, each lets a random time pass before it asks, and does not
 * ask if it hears meanwhile that another process has the lease. The more processes compete, the longer are these times: so few
 * ask in vain, however many wait. A process that competes with nobody says nothing and asks at once.
 *
 * <p>Messages may be lost, late or forged. They decide only when a waiter asks: the store decides who gets the lease. A waiter
 * that did not ask because of a message asks again after {@link #LONGEST_BELIEVED} at the latest. Safe for use by many threads.
 */
public final class WaitingLines implements AutoCloseable {
    /** Nobody waits longer, and it is a number of nanoseconds that can be added to another. */
    private static final Duration LONGEST_WAIT = Duration.ofDays(365);

    static final Duration LONGEST_BELIEVED = Duration.ofSeconds(30);

    /** How long each rival makes the others wait, in the times that an ask takes. */
    private static final long ASKS_PER_RIVAL = 2;

    private static final long LONGEST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LONGEST_ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long FIRST_GUESS_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** Names without waiters whose rivals are remembered, because this process probably waits for them again. */
    private static final int MOST_REMEMBERED = 1000;

    private static final int MOST_MESSAGES = 1000;
    private static final int IDLE_SECONDS = 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Line> lines = new HashMap<>();
    private final Ids ids;
    private final String me;
    private final Announcer announcer;
    private int remembered;
    private volatile boolean used;

    /** About how long it takes from an ask until the others have heard of the grant. */
    private long askNanos = FIRST_GUESS_NANOS;

    private @Nullable ExecutorService messenger;
    private boolean closed;

    /** Sends a message to all processes that wait for a name. */
    @FunctionalInterface
    public interface Announcer {
        /** May throw if the message cannot be sent. */
        void announce(String name, GrantNotice notice);
    }

    public WaitingLines(Ids ids, Announcer announcer) {
        this.ids = ids;
        this.me = ids.unique();
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

    /**
     * A name became free.
     *
     * @param token of the grant that ended, or zero if it is unknown
     */
    public void freed(String name, long token) {
        lock.lock();
        try {
            Line line = lines.get(name);
            if (line != null) {
                line.freed = Math.max(line.freed, token == 0 ? line.granted : token);
                line.wakeFirst(System.nanoTime() + delay(line.rivals.count(System.nanoTime())));
            }
        } finally {
            lock.unlock();
        }
    }

    private long delay(int rivals) {
        long longest = Math.min(LONGEST_DELAY_NANOS, ASKS_PER_RIVAL * rivals * askNanos);
        return longest == 0 ? 0 : ids.below(longest);
    }

    /** A process was granted the lease, perhaps this one. */
    public void granted(String name, GrantNotice notice) {
        lock.lock();
        try {
            Line line = lines.get(name);
            if (line != null && !notice.process().equals(me)) {
                line.rivals.granted(notice.process(), notice.rivals(), System.nanoTime());
                line.granted = Math.max(line.granted, notice.token());
                if (notice.token() > line.freed) {
                    line.places.forEach(place -> place.holdBack(notice.ttl()));
                }
            }
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
                line.refused(busy.token().value());
            }
        } finally {
            lock.unlock();
        }
    }

    private void grantedToMe(String name, Line line, long token, Duration ttl) {
        long asked = line.asked;
        line.asked = 0;
        line.granted = Math.max(line.granted, token);
        line.rivals.grantedToMe();
        int rivals = line.rivals.heard(System.nanoTime());
        if (rivals > 0) {
            GrantNotice notice = new GrantNotice(token, ttl, me, rivals);
            inBackground(() -> {
                announcer.announce(name, notice);
                if (asked != 0) {
                    noteDuration(System.nanoTime() - asked);
                }
            });
        }
    }

    /** A moving average. */
    private void noteDuration(long nanos) {
        lock.lock();
        try {
            askNanos += (Math.min(LONGEST_ASK_NANOS, nanos) - askNanos) / 4;
        } finally {
            lock.unlock();
        }
    }

    /** The caller has the lease, and should not wait for the message or be interrupted in it. */
    private void inBackground(Runnable message) {
        if (closed) {
            return;
        }
        if (messenger == null) {
            messenger = messenger();
        }
        try {
            messenger.execute(() -> send(message));
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

    private static void send(Runnable message) {
        try {
            message.run();
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

    private static final class Line {
        /** In the order of arrival. */
        private final Set<Place> places = new LinkedHashSet<>();

        private final Rivals rivals = new Rivals();

        /** Whether nobody waits here, and only the rivals are kept. */
        private boolean remembered;

        /** The highest token of a grant that is known to have ended. */
        private long freed;

        /** The highest token that is known to have been granted. */
        private long granted;

        /** When a waiter was last sent to ask, or zero. */
        private long asked;

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

        /** If the name has been free meanwhile, somebody outside this process was faster. */
        void refused(long token) {
            if (freed > 0 && token > freed && token > granted) {
                granted = token;
                rivals.grantedToSomeone(System.nanoTime());
            }
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
                if (signalled) {
                    line.asked = System.nanoTime();
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
            lock.lock();
            try {
                if (!line.places.remove(this)) {
                    return;
                }
                if (signalled) {
                    line.wakeFirst(askAt);
                }
                if (line.places.isEmpty()) {
                    rememberOrRemove();
                }
            } finally {
                lock.unlock();
            }
        }

        private void rememberOrRemove() {
            if (line.rivals.heard(System.nanoTime()) == 0) {
                lines.remove(name);
                return;
            }
            line.remembered = true;
            if (++remembered > MOST_REMEMBERED) {
                lines.values().removeIf(other -> other.remembered);
                remembered = 0;
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
