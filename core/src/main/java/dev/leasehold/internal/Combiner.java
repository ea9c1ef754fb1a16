package dev.leasehold.internal;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.StoreUnreachableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of many callers in few calls. A caller that finds few calls under way makes one
 * at once, so a single caller loses nothing. Callers that find as many as are useful wait, and go
 * together in the next call, which the first of them makes. No thread of its own is needed.
 *
 * <p>Each caller gets its own answer or its own failure:
 *
 * <ul>
 *   <li>A request that the call leaves unanswered is made again by its own caller, alone and beside
 *       the calls of others. So a request that has to wait, or is at fault, harms no other.
 *   <li>If the call throws {@link StoreUnavailableException}, the outcome of every request that it has
 *       not answered is unknown.
 *   <li>After any other exception, or if the sender was interrupted, each unanswered request is made
 *       alone. Therefore it must be safe to repeat a request.
 *   <li>A call that takes longer than {@link #PATIENCE} is overtaken: the next one goes beside it.
 * </ul>
 *
 * <p>Requests are sent in the order in which they arrived. Of requests with equal keys, none is sent
 * before the one ahead of it has its answer, unless both are in the same call. So a name that cannot be
 * reached occupies one connection, however many callers ask for it. A caller cannot be interrupted
 * while it waits, as it could not in a call of its own; its thread keeps the interrupt. Safe for use by
 * many threads.
 */
public final class Combiner<Q, A> {
    /** Longer than a call usually takes, and short for a caller that waits. */
    public static final Duration PATIENCE = Duration.ofMillis(20);

    /** How often the other callers look around. */
    static final Duration SECOND = Duration.ofSeconds(1);

    /** A call that answers some or all of its requests. */
    @FunctionalInterface
    public interface Call<Q, A> {
        /** @param requests at least two, in the order of their arrival; some may have equal keys */
        void send(List<Pending<Q, A>> requests);
    }

    /** How a caller waits: a thread, or the simulation of one. */
    public interface Sleeper {
        /** Waits until the condition holds, which is examined after each {@link #wake}, or the time is over. */
        void await(BooleanSupplier condition, Duration atMost);

        void wake();
    }

    /**
     * How many calls may be under way. A few callers are best served side by side, because the server
     * makes their commits durable together; many are best served by few large calls.
     *
     * @param few the number of calls while there are no more callers than that
     * @param many the number of calls with more callers
     */
    public record Lanes(int few, int many) {
        int room(int callers) {
            return callers <= few ? few : many;
        }
    }

    private final int most;
    private final Lanes lanes;
    private final Function<Q, @Nullable Object> keys;
    private final Call<Q, A> together;
    private final Function<Q, A> alone;
    private final Supplier<Sleeper> sleepers;

    /** Requests that go with the next call, in their order. Empty while there is room for a call. */
    private final Deque<Pending<Q, A>> waiting = new ArrayDeque<>();

    /** The calls that count, the oldest first: not those that were overtaken, or made alone after another. */
    private final List<Flight<Q, A>> underWay = new ArrayList<>();

    /** The number of requests in them. */
    private int requestsUnderWay;

    /** How many callers there were at the same moment lately. */
    private int crowd;

    /** The call that has a request with this key. */
    private final Map<Object, Flight<Q, A>> senders = new HashMap<>();

    /**
     * @param most how many requests one call takes
     * @param lanes how many calls may be under way before callers wait for one of them
     * @param keys tells which requests keep their order; null for a request that need not
     * @param alone makes a single request, and may take long
     */
    public Combiner(
            int most, Lanes lanes, Function<Q, @Nullable Object> keys, Call<Q, A> together, Function<Q, A> alone) {
        this(most, lanes, keys, together, alone, SystemSleeper::new);
    }

    public Combiner(
            int most,
            Lanes lanes,
            Function<Q, @Nullable Object> keys,
            Call<Q, A> together,
            Function<Q, A> alone,
            Supplier<Sleeper> sleepers) {
        this.most = most;
        this.lanes = lanes;
        this.keys = keys;
        this.together = together;
        this.alone = alone;
        this.sleepers = sleepers;
    }

    /** Makes the request, alone or together with others. */
    public A ask(Q request) {
        Pending<Q, A> mine = new Pending<>(request, keys.apply(request), sleepers.get());
        join(mine);
        while (true) {
            while (!mine.isCalled()) {
                await(mine);
            }
            sendIfAsked(mine);
            if (mine.isSettled()) {
                return mine.result();
            }
        }
    }

    private synchronized void join(Pending<Q, A> mine) {
        waiting.add(mine);
        crowd = Math.max(crowd, callers());
        if (hasRoom()) {
            // Nobody waits while there is room, so this call has the one request, or none if an equal key is ahead.
            mine.toSend = start();
        }
        watchTheFirst();
    }

    private int callers() {
        return requestsUnderWay + waiting.size();
    }

    private boolean hasRoom() {
        return underWay.size() < lanes.room(Math.max(crowd, callers()));
    }

    /**
     * Only the first that waits looks after the calls under way: if all woke up when a call is slow, they
     * would make it slower. Returns it if it does not know yet.
     */
    private @Nullable Pending<Q, A> watchTheFirst() {
        Pending<Q, A> first = waiting.peek();
        if (first == null || first.patience.equals(PATIENCE)) {
            return null;
        }
        first.before = oldest();
        first.patience = PATIENCE;
        return first;
    }

    private @Nullable Flight<Q, A> oldest() {
        return underWay.isEmpty() ? null : underWay.get(0);
    }

    private void await(Pending<Q, A> mine) {
        Duration patience = mine.patience;
        mine.sleeper.await(() -> mine.isCalled() || !mine.patience.equals(patience), patience);
        if (!mine.isCalled() && mine.patience.equals(patience)) {
            overtake(mine);
        }
    }

    private Flight<Q, A> begin(List<Pending<Q, A>> requests) {
        Flight<Q, A> flight = new Flight<>(requests);
        underWay.add(flight);
        requestsUnderWay += requests.size();
        for (Pending<Q, A> each : requests) {
            if (each.key != null) {
                senders.put(each.key, flight);
            }
        }
        return flight;
    }

    /** Answers each request with the value in its place; an empty value leaves the request unanswered. */
    public static <Q, A> void answer(List<Pending<Q, A>> requests, List<Optional<A>> values) {
        for (int i = 0; i < values.size(); i++) {
            values.get(i).ifPresent(requests.get(i)::answer);
        }
    }

    private void sendIfAsked(Pending<Q, A> mine) {
        Flight<Q, A> flight = mine.toSend;
        mine.toSend = null;
        if (flight == null) {
            return;
        }
        boolean sent = false;
        try {
            send(flight);
            sent = true;
        } finally {
            Flight<Q, A> again = mine.toSend;
            if (!sent && again != null) {
                // An error ends this caller, so it will not make its request alone.
                end(again);
            }
        }
    }

    private void send(Flight<Q, A> flight) {
        try {
            if (flight.requests.size() == 1) {
                Pending<Q, A> only = flight.requests.get(0);
                only.answer(alone(only));
            } else {
                sendTogether(flight.requests);
            }
        } finally {
            // First, because the next call takes longer than waking the callers of this one.
            end(flight);
            flight.requests.forEach(Pending::tell);
        }
    }

    /** A call with others may have had an effect, so the outcome is unknown although this one sent nothing. */
    private A alone(Pending<Q, A> only) {
        try {
            return alone.apply(only.request());
        } catch (StoreUnreachableException e) {
            throw only.wasShared ? new StoreUnavailableException(String.valueOf(e.getMessage()), e) : e;
        }
    }

    /** An interrupt is the sender's own: the calls of the others must not fail because of it. */
    private void sendTogether(List<Pending<Q, A>> requests) {
        boolean interrupted = Thread.interrupted();
        requests.forEach(each -> each.wasShared = true);
        try {
            together.send(requests);
        } catch (StoreUnavailableException e) {
            boolean meanwhile = Thread.interrupted();
            interrupted |= meanwhile;
            if (!meanwhile) {
                requests.forEach(each -> each.failUnlessAnswered(e));
            }
        } catch (RuntimeException e) {
            // One of the requests is at fault. Each is made alone, and its caller gets its own error.
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A slow call gives up its place. Those that wait for its answers go on waiting. */
    private void overtake(Pending<Q, A> mine) {
        List<Flight<Q, A>> next;
        Pending<Q, A> first;
        synchronized (this) {
            Flight<Q, A> slow = mine.before;
            leave(slow);
            next = startNext();
            mine.before = oldest();
            first = watchTheFirst();
        }
        lead(next);
        tellToWatch(first);
    }

    private void tellToWatch(@Nullable Pending<Q, A> first) {
        if (first != null) {
            first.sleeper.wake();
        }
    }

    private void leave(@Nullable Flight<Q, A> flight) {
        if (flight != null && underWay.remove(flight)) {
            requestsUnderWay -= flight.requests.size();
        }
    }

    private void end(Flight<Q, A> flight) {
        List<Flight<Q, A>> next;
        Pending<Q, A> first;
        synchronized (this) {
            leave(flight);
            // Slowly, because callers that got their answers together come again one by one.
            crowd = Math.max(0, crowd - 1 - flight.requests.size() / 4);
            for (Pending<Q, A> each : flight.requests) {
                if (each.key != null) {
                    senders.remove(each.key, flight);
                }
            }
            if (flight.requests.size() > 1) {
                flight.requests.forEach(this::sendAloneUnlessSettled);
            }
            // They came before all that wait now.
            for (int i = flight.behind.size() - 1; i >= 0; i--) {
                waiting.addFirst(flight.behind.get(i));
            }
            next = startNext();
            first = watchTheFirst();
        }
        lead(next);
        tellToWatch(first);
    }

    /** Requests with an equal key follow one after the other. */
    private void sendAloneUnlessSettled(Pending<Q, A> request) {
        if (request.isSettled()) {
            return;
        }
        Flight<Q, A> ahead = request.key == null ? null : senders.get(request.key);
        if (ahead != null) {
            ahead.add(request);
            return;
        }
        request.toSend = new Flight<>(List.of(request));
        if (request.key != null) {
            senders.put(request.key, request.toSend);
        }
    }

    private List<Flight<Q, A>> startNext() {
        List<Flight<Q, A>> started = List.of();
        while (!waiting.isEmpty() && hasRoom()) {
            Flight<Q, A> next = start();
            if (next != null) {
                started = started.isEmpty() ? new ArrayList<>(1) : started;
                started.add(next);
            }
        }
        return started;
    }

    private @Nullable Flight<Q, A> start() {
        List<Pending<Q, A>> batch = nextBatch();
        return batch.isEmpty() ? null : begin(batch);
    }

    /** Takes from the front only, so that its cost does not depend on how many wait. */
    private List<Pending<Q, A>> nextBatch() {
        List<Pending<Q, A>> batch = new ArrayList<>(Math.min(most, waiting.size()));
        for (Pending<Q, A> each = waiting.poll(); each != null; each = waiting.poll()) {
            Flight<Q, A> ahead = each.key == null ? null : senders.get(each.key);
            if (ahead != null) {
                ahead.add(each);
            } else {
                batch.add(each);
            }
            if (batch.size() == most) {
                break;
            }
        }
        return batch;
    }

    private void lead(List<Flight<Q, A>> flights) {
        for (Flight<Q, A> each : flights) {
            each.requests.get(0).lead(each);
        }
    }
}
