package dev.leasehold.server;

import dev.leasehold.client.message.ProblemType;
import dev.leasehold.events.Event;
import dev.leasehold.events.EventPosition;
import dev.leasehold.events.EventReader;
import dev.leasehold.internal.Failure;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The clients that listen to events. While there is one, the store is asked every second what has
 * changed, once for all of them and on one thread; without listeners it is not asked.
 *
 * <p>A client that continues where another connection broke off is sent what happened meanwhile. If
 * this server does not remember that far back, the store does.
 */
final class EventStreams implements AutoCloseable {
    private static final int MOST_STREAMS = 200;
    private static final int MOST_OF_ONE_KEY = 50;
    /** Clients that are far behind at the same time: what each has missed is in memory until it has taken it. */
    private static final int MOST_CATCHING_UP = 8;

    private static final int MOST_CATCHING_UP_OF_ONE_KEY = 2;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    /** A position that is this much ahead of the store's clock is not of this store. */
    private static final Duration AHEAD = Duration.ofMinutes(10);
    /** A store with very many names is asked less often: asking takes at most this part of the time. */
    private static final int SHARE_OF_TIME = 10;

    private static final long KEY_TRUSTED_NANOS = Duration.ofSeconds(5).toNanos();

    private final LeaseStore store;
    private final Authenticator authenticator;
    private final StoreThreads threads;
    private final ServerClock clock;
    private final Duration longestStall;
    /** Clients that nobody has looked at yet. Guarded by this object, as the two flags are. */
    private final List<Listener> arrivals = new ArrayList<>();

    private boolean asking;
    private boolean closed;

    /** Changed only by the thread that asks. */
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    /** Null while nobody listens. Used only by the thread that asks. */
    private @Nullable RecentEvents recent;

    /** A client and how far it has come. */
    private static final class Listener {
        private final EventStream stream;
        /** Where the client began; null if it came without a position. */
        private final @Nullable EventPosition start;
        /** Where to continue; null until the client has a place. */
        private @Nullable EventPosition position;
        /** The number of the next event for it. */
        private long next;
        /** Reads for this client alone, as long as it is behind what the server remembers. */
        private @Nullable EventReader own;

        /** Whether it has its own reader, or has not yet taken what that has read. */
        private boolean catchingUp;

        private long keyCheckedAt = System.nanoTime();

        Listener(EventStream stream, @Nullable EventPosition start) {
            this.stream = stream;
            this.start = start;
            this.position = start;
        }

        /** Another server may have sent it what this one has yet to read. */
        boolean hasHadBefore(Event event) {
            return start != null && !event.position().isAfter(start);
        }
    }

    /** @param longestStall a client that takes nothing for this long is cut off: it can continue later */
    EventStreams(
            LeaseStore store,
            Authenticator authenticator,
            StoreThreads threads,
            ServerClock clock,
            Duration longestStall) {
        this.longestStall = longestStall;
        this.store = store;
        this.authenticator = authenticator;
        this.threads = threads;
        this.clock = clock;
    }

    /** @param after null to send what happens from now on */
    void open(EventStream stream, @Nullable EventPosition after) {
        boolean begin;
        synchronized (this) {
            if (closed) {
                throw new BadRequestException(ProblemType.STOPPING, "the server is being stopped");
            }
            if (stream.key() != null && openedBy(stream.key()) >= MOST_OF_ONE_KEY) {
                throw new BadRequestException(
                        ProblemType.OVERLOADED, MOST_OF_ONE_KEY + " clients listen with this key already");
            }
            if (size() >= MOST_STREAMS) {
                throw new BadRequestException(
                        ProblemType.OVERLOADED, MOST_STREAMS + " clients listen to events already; try again later");
            }
            arrivals.add(new Listener(stream, after));
            begin = !asking;
            asking = true;
        }
        if (begin) {
            ask();
        }
    }

    private long openedBy(String key) {
        return Stream.concat(listeners.stream(), arrivals.stream())
                .filter(listener -> key.equals(listener.stream.key()))
                .count();
    }

    /** How many clients listen. */
    synchronized int size() {
        return listeners.size() + arrivals.size();
    }

    @SuppressWarnings("CatchingUnchecked")
    private void ask() {
        long began = System.nanoTime();
        try {
            removeThoseThatLeft();
            admitArrivals();
            RecentEvents events = recent;
            if (events != null) {
                forEach(listener -> sendWhatItMissed(listener, events));
                events.read();
                forEach(listener -> sendNews(listener, events));
            }
        } catch (StoreUnavailableException | StoreCorruptException e) {
            // The store is asked again, and the clients miss nothing.
            listeners.forEach(listener -> listener.stream.proceed());
        } catch (RuntimeException | Error e) {
            Failure.log("the events could not be read", e);
        } finally {
            long pause = (System.nanoTime() - began) * SHARE_OF_TIME;
            askLater(Duration.ofNanos(Math.max(PAUSE.toNanos(), Math.min(pause, LONGEST_PAUSE.toNanos()))));
        }
    }

    /** A client that cannot be served is sent away, and the others are not kept waiting. */
    @SuppressWarnings("CatchingUnchecked")
    private void forEach(Consumer<Listener> step) {
        for (Listener listener : List.copyOf(listeners)) {
            try {
                step.accept(listener);
            } catch (StoreUnavailableException | StoreCorruptException e) {
                throw e;
            } catch (RuntimeException | Error e) {
                Failure.log("the events of a client could not be read", e);
                listener.stream.end();
                listeners.remove(listener);
            }
        }
    }

    private void askLater(Duration pause) {
        synchronized (this) {
            if (closed || (listeners.isEmpty() && arrivals.isEmpty())) {
                asking = false;
                recent = null;
                return;
            }
        }
        Future<?> unused = clock.after(pause, () -> {
            try {
                threads.execute(this::ask);
            } catch (RejectedExecutionException e) {
                askLater(PAUSE);
            }
        });
    }

    @SuppressWarnings("CatchingUnchecked")
    private void admitArrivals() {
        List<Listener> admitted;
        synchronized (this) {
            admitted = List.copyOf(arrivals);
            arrivals.clear();
            listeners.addAll(admitted);
        }
        for (Listener listener : admitted) {
            try {
                admit(listener);
            } catch (RuntimeException | Error e) {
                listeners.remove(listener);
                Answer answer = ApiProblems.of(e, null);
                if (answer.is(ProblemType.INTERNAL)) {
                    Failure.log("a client could not listen to events", e);
                }
                listener.stream.refuse(answer);
            }
        }
    }

    private void admit(Listener listener) {
        RecentEvents events = recent;
        if (events == null) {
            events = new RecentEvents(EventReader.fromNow(store));
            recent = events;
        }
        EventPosition after = listener.position;
        if (after != null && after.at().isAfter(events.position().at().plus(AHEAD))) {
            throw new BadRequestException(
                    "the position " + after.at() + " is in the future of this store; listen without one");
        }
        listener.next = after == null ? events.end() : events.after(after);
        listener.position = after == null ? events.position() : after;
        listener.stream.begin();
    }

    private void removeThoseThatLeft() {
        List<Listener> left = listeners.stream()
                .filter(listener -> listener.stream.isGone()
                        || listener.stream.isStalled(longestStall)
                        || !mayStillListen(listener))
                .toList();
        left.forEach(listener -> listener.stream.end());
        listeners.removeAll(left);
    }

    /** A key may be revoked while its client listens. */
    private boolean mayStillListen(Listener listener) {
        long now = System.nanoTime();
        if (now - listener.keyCheckedAt < KEY_TRUSTED_NANOS) {
            return true;
        }
        try {
            authenticator.caller(listener.stream.authorization());
            listener.keyCheckedAt = now;
            return true;
        } catch (BadRequestException e) {
            return false;
        } catch (StoreUnavailableException | StoreCorruptException e) {
            // There are no events to be had either.
            return true;
        }
    }

    /**
     * Reads for a client that is behind. Comes before the events of all are read: these then go at
     * least as far as those of the client, and are sent to it from where its own end.
     */
    private void sendWhatItMissed(Listener listener, RecentEvents events) {
        EventPosition position = listener.position;
        if (position != null
                && listener.own == null
                && listener.stream.isReady()
                && !events.remembers(listener.next)
                && mayCatchUp(listener)) {
            listener.own = EventReader.after(store, position);
        }
        EventReader own = listener.own;
        if (own != null && listener.stream.isReady()) {
            List<Event> missed = own.read();
            listener.position = own.position();
            listener.stream.send(missed, own.position());
        }
    }

    /** A client that may not yet catch up is sent nothing, and has its turn later. */
    private boolean mayCatchUp(Listener listener) {
        int all = 0;
        int ofItsKey = 0;
        for (Listener other : listeners) {
            if (other.catchingUp && other != listener) {
                all++;
                ofItsKey += Objects.equals(other.stream.key(), listener.stream.key()) ? 1 : 0;
            }
        }
        boolean may =
                all < MOST_CATCHING_UP && (listener.stream.key() == null || ofItsKey < MOST_CATCHING_UP_OF_ONE_KEY);
        listener.catchingUp = may;
        return may;
    }

    private static void sendNews(Listener listener, RecentEvents events) {
        EventReader own = listener.own;
        if (own == null && !events.remembers(listener.next)) {
            listener.stream.proceed();
            return;
        }
        if (own != null) {
            listener.next = events.after(own.position());
            listener.own = events.remembers(listener.next) ? null : own;
        }
        if (listener.own == null && listener.stream.isReady()) {
            listener.catchingUp = false;
            List<Event> news = new ArrayList<>(events.from(listener.next));
            news.removeIf(listener::hasHadBefore);
            listener.next = events.end();
            listener.position = events.position();
            listener.stream.send(news, events.position());
        } else {
            listener.stream.proceed();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            listeners.addAll(arrivals);
            arrivals.clear();
        }
        listeners.forEach(listener -> listener.stream.end());
    }
}
