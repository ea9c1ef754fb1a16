package dev.leasehold.server;

import dev.leasehold.client.message.GrantAnswer;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The clients that wait for leases. A client that waits holds no thread, and the store is asked for
 * the first client of each name only, however many wait.
 *
 * <p>A lease that is given back through this server is passed on at once. One that is given back
 * elsewhere, or that expires, is noticed when the store is asked next.
 */
final class WaitingRoom implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    /** The store is asked at most this often in a second for all names together. */
    private static final int MOST_POLLS = 500;

    private final LeaseStore store;
    private final StoreThreads threads;
    private final Departures departures;
    private final ServerClock clock;
    private final Map<LeaseName, Line> lines = new HashMap<>();
    /** The time limits of all clients that wait. */
    private final Map<Waiter, Future<?>> limits = new HashMap<>();

    private boolean closed;

    /** The clients that wait for one name, in the order in which they came. Guarded by the room. */
    private static final class Line {
        private final Deque<Waiter> waiters = new ArrayDeque<>();
        private Acquisition.Busy busy;
        /** Whether a thread is asking the store for the first client. */
        private boolean asking;
        /** Whether the lease may have become free since the store was asked. */
        private boolean askAgain;
        /** Counts the appointments, so that only the latest one counts. */
        private int appointment;

        Line(Acquisition.Busy busy) {
            this.busy = busy;
        }
    }

    WaitingRoom(LeaseStore store, StoreThreads threads, ServerClock clock, Departures departures) {
        this.store = store;
        this.threads = threads;
        this.departures = departures;
        this.clock = clock;
    }

    /** Asks the store, and lets the client wait if the lease is busy. */
    void acquire(Waiter waiter, Duration wait) {
        Acquisition answer = store.acquire(waiter.name(), waiter.attempt(), waiter.holder(), waiter.ttl());
        if (answer instanceof Acquisition.Busy busy && !wait.isZero()) {
            enter(waiter, wait, busy);
        } else {
            send(waiter, answer);
        }
    }

    private void enter(Waiter waiter, Duration wait, Acquisition.Busy busy) {
        boolean full;
        synchronized (this) {
            full = closed;
            if (!full) {
                Line line = lines.computeIfAbsent(waiter.name(), name -> new Line(busy));
                line.busy = busy;
                line.waiters.add(waiter);
                if (line.waiters.size() == 1) {
                    makeAppointment(waiter.name(), line);
                }
                limits.put(waiter, clock.after(wait, () -> giveUp(waiter)));
            }
        }
        if (full) {
            waiter.reply().send(ApiProblems.stopping(waiter.attempt().value()));
        } else {
            departures.watch(waiter.connection(), () -> leave(waiter));
        }
    }

    /** The next question to the store, at the latest when the lease expires. */
    private void makeAppointment(LeaseName name, Line line) {
        int number = ++line.appointment;
        long poll = Math.max(POLL.toMillis(), 1000L * lines.size() / MOST_POLLS);
        long millis = Math.max(1, Math.min(poll, line.busy.remaining().toMillis() + 1));
        Future<?> unused = clock.after(Duration.ofMillis(millis), () -> keepAppointment(name, number));
    }

    private void keepAppointment(LeaseName name, int number) {
        synchronized (this) {
            Line line = lines.get(name);
            if (line == null || line.appointment != number || line.asking) {
                return;
            }
        }
        mayBeFree(name);
    }

    /** Asks the store for the first client that waits for this name, if there is one. */
    void mayBeFree(LeaseName name) {
        synchronized (this) {
            Line line = lines.get(name);
            if (line == null) {
                return;
            }
            if (line.asking) {
                line.askAgain = true;
                return;
            }
            line.asking = true;
        }
        try {
            threads.execute(() -> ask(name));
        } catch (RejectedExecutionException e) {
            asked(name, false);
        }
    }

    @SuppressWarnings("CatchingUnchecked")
    private void ask(LeaseName name) {
        Waiter first = first(name);
        boolean next = false;
        try {
            if (first != null) {
                first.stillAllowed().run();
                Acquisition answer = store.acquire(name, first.attempt(), first.holder(), first.ttl());
                next = take(first, answer);
            }
        } catch (BadRequestException e) {
            next = true;
            if (first != null) {
                refuse(first, e);
            }
        } catch (RuntimeException | Error e) {
            failAll(name, e);
        } finally {
            asked(name, next);
        }
    }

    private synchronized @Nullable Waiter first(LeaseName name) {
        Line line = lines.get(name);
        return line == null ? null : line.waiters.peek();
    }

    /** True if the store should be asked for the next client at once. */
    private boolean take(Waiter waiter, Acquisition answer) {
        boolean stillWaits;
        synchronized (this) {
            Line line = lines.get(waiter.name());
            if (answer instanceof Acquisition.Busy busy) {
                if (line != null) {
                    line.busy = busy;
                }
                return false;
            }
            stillWaits = line != null && remove(line, waiter);
        }
        if (stillWaits) {
            departures.forget(waiter.connection());
            send(waiter, answer);
        } else if (answer instanceof Acquisition.Granted && !isRepeated(waiter)) {
            // The client left, or its time was up, while the store was being asked.
            store.abandon(waiter.name(), waiter.attempt());
        }
        return !stillWaits || !(answer instanceof Acquisition.Granted);
    }

    private void asked(LeaseName name, boolean next) {
        boolean again;
        synchronized (this) {
            Line line = lines.get(name);
            if (line == null) {
                return;
            }
            line.asking = false;
            again = next || line.askAgain;
            line.askAgain = false;
            if (line.waiters.isEmpty()) {
                lines.remove(name);
                return;
            }
            if (!again) {
                makeAppointment(name, line);
            }
        }
        if (again) {
            mayBeFree(name);
        }
    }

    /** Its key was revoked while it waited. The others go on waiting. */
    private void refuse(Waiter waiter, BadRequestException why) {
        boolean stillWaits;
        synchronized (this) {
            Line line = lines.get(waiter.name());
            stillWaits = line != null && remove(line, waiter);
        }
        if (stillWaits) {
            departures.forget(waiter.connection());
            waiter.reply().send(ApiProblems.of(why, null));
        }
    }

    private void failAll(LeaseName name, Throwable failure) {
        List<Waiter> failed = new ArrayList<>();
        synchronized (this) {
            Line line = lines.get(name);
            if (line != null) {
                failed.addAll(line.waiters);
                failed.forEach(waiter -> remove(line, waiter));
            }
        }
        for (Waiter waiter : failed) {
            departures.forget(waiter.connection());
            waiter.reply().send(ApiProblems.of(failure, waiter.attempt().value()));
        }
    }

    /** The time of a client is up. */
    private void giveUp(Waiter waiter) {
        Acquisition.Busy busy;
        synchronized (this) {
            Line line = lines.get(waiter.name());
            if (line == null || !remove(line, waiter)) {
                return;
            }
            busy = line.busy;
            removeIfEmpty(waiter.name(), line);
        }
        departures.forget(waiter.connection());
        waiter.reply().send(LeaseCalls.busy(busy, waiter.name()));
    }

    /** The client has hung up. It must not be granted a lease that it will never hear of. */
    private void leave(Waiter waiter) {
        Acquisition.Busy busy;
        synchronized (this) {
            Line line = lines.get(waiter.name());
            if (line == null || !remove(line, waiter)) {
                return;
            }
            busy = line.busy;
            removeIfEmpty(waiter.name(), line);
        }
        // It may only have ended its own half of the connection.
        waiter.reply().send(LeaseCalls.busy(busy, waiter.name()));
    }

    /** False if it was served before. */
    private boolean remove(Line line, Waiter waiter) {
        Future<?> limit = limits.remove(waiter);
        if (limit != null) {
            limit.cancel(false);
        }
        return line.waiters.remove(waiter);
    }

    private void removeIfEmpty(LeaseName name, Line line) {
        if (line.waiters.isEmpty() && !line.asking) {
            lines.remove(name);
        }
    }

    private void send(Waiter waiter, Acquisition answer) {
        if (answer instanceof Acquisition.Granted granted) {
            waiter.reply()
                    .send(
                            Answer.of(GrantAnswer.of(
                                    granted, store.id(), waiter.ttl().toMillis())),
                            () -> abandon(waiter));
        } else if (answer instanceof Acquisition.Busy busy) {
            waiter.reply().send(LeaseCalls.busy(busy, waiter.name()));
        } else {
            waiter.reply().send(LeaseCalls.spent());
        }
    }

    /** Whether the same client has sent its call again, and waits for the same grant. */
    private synchronized boolean isRepeated(Waiter waiter) {
        Line line = lines.get(waiter.name());
        return line != null
                && line.waiters.stream().anyMatch(other -> other.attempt().equals(waiter.attempt()));
    }

    /** Best effort: if it fails, the lease expires. */
    private void abandon(Waiter waiter) {
        try {
            threads.execute(() -> {
                if (!isRepeated(waiter)) {
                    store.abandon(waiter.name(), waiter.attempt());
                }
                mayBeFree(waiter.name());
            });
        } catch (RejectedExecutionException e) {
            // The lease expires.
        }
    }

    /** How many clients wait. */
    synchronized int size() {
        return lines.values().stream().mapToInt(line -> line.waiters.size()).sum();
    }

    /** Sends all clients to another server. */
    @Override
    public void close() {
        List<Waiter> sent = new ArrayList<>();
        synchronized (this) {
            closed = true;
            for (Line line : lines.values()) {
                sent.addAll(line.waiters);
                line.waiters.clear();
            }
            limits.clear();
        }
        for (Waiter waiter : sent) {
            waiter.reply().send(ApiProblems.stopping(waiter.attempt().value()));
        }
    }
}
