package dev.leasehold.internal;

import dev.leasehold.model.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of many callers in few calls. A caller that finds no call under way makes one at
 * once, so a single caller loses nothing. Callers that arrive meanwhile wait, and then go together in
 * the next call, which the first of them makes. No thread of its own is needed.
 *
 * <p>Each caller gets its own answer or its own failure:
 *
 * <ul>
 *   <li>A request that the call leaves unanswered is made again by its own caller, alone and beside
 *       the calls of others. So a request that has to wait, or is at fault, harms no other.
 *   <li>If the call throws {@link StoreUnavailableException}, the outcome of every request that it has
 *       not answered is unknown.
 *   <li>After any other exception, each unanswered request is made alone. Therefore it must be safe to
 *       repeat a request.
 *   <li>A call that takes longer than {@link #PATIENCE} is overtaken: the next one goes beside it.
 * </ul>
 *
 * <p>Requests with equal keys never share a call, and are sent in the order in which they arrived. A
 * caller cannot be interrupted while it waits, as it could not in a call of its own; its thread keeps
 * the interrupt. Safe for use by many threads.
 */
public final class Combiner<Q, A> {
    /** Longer than a call usually takes, and short for a caller that waits. */
    public static final Duration PATIENCE = Duration.ofMillis(20);

    /** A call that answers some or all of its requests. */
    @FunctionalInterface
    public interface Call<Q, A> {
        /** @param requests at least two; their keys differ */
        void send(List<Pending<Q, A>> requests);
    }

    /** How a caller waits: a thread, or the simulation of one. */
    public interface Sleeper {
        /** Waits until the condition holds, which is examined after each {@link #wake}, or the time is over. */
        void await(BooleanSupplier condition, Duration atMost);

        void wake();
    }

    private final int most;
    private final Function<Q, Object> keys;
    private final Call<Q, A> together;
    private final Function<Q, A> alone;
    private final Supplier<Sleeper> sleepers;
    private final Deque<Pending<Q, A>> waiting = new ArrayDeque<>();

    /** The requests of the latest call, while it is under way. */
    private @Nullable List<Pending<Q, A>> latest;

    /**
     * @param most how many requests one call takes
     * @param keys requests with equal keys never share a call
     * @param alone makes a single request, and may take long
     */
    public Combiner(int most, Function<Q, Object> keys, Call<Q, A> together, Function<Q, A> alone) {
        this(most, keys, together, alone, SystemSleeper::new);
    }

    public Combiner(
            int most, Function<Q, Object> keys, Call<Q, A> together, Function<Q, A> alone, Supplier<Sleeper> sleepers) {
        this.most = most;
        this.keys = keys;
        this.together = together;
        this.alone = alone;
        this.sleepers = sleepers;
    }

    /** Makes the request, alone or together with others. */
    public A ask(Q request) {
        Pending<Q, A> mine = new Pending<>(request, sleepers.get());
        List<Pending<Q, A>> before = join(mine);
        while (!mine.isCalled()) {
            mine.sleeper.await(mine::isCalled, PATIENCE);
            if (!mine.isCalled()) {
                before = passOn(before);
            }
        }
        List<Pending<Q, A>> batch = mine.batch;
        if (batch != null) {
            send(batch);
        }
        return mine.result(alone);
    }

    /** Returns the call to wait for; null if the caller has to send its request now. */
    private synchronized @Nullable List<Pending<Q, A>> join(Pending<Q, A> mine) {
        if (latest != null) {
            waiting.add(mine);
            return latest;
        }
        mine.batch = List.of(mine);
        latest = mine.batch;
        return null;
    }

    private void send(List<Pending<Q, A>> batch) {
        try {
            if (batch.size() == 1) {
                batch.get(0).answer(alone.apply(batch.get(0).request));
            } else {
                sendTogether(batch);
            }
        } finally {
            // First, because the next call takes longer than waking the callers of this one.
            passOn(batch);
            batch.forEach(Pending::end);
        }
    }

    private void sendTogether(List<Pending<Q, A>> batch) {
        try {
            together.send(batch);
        } catch (StoreUnavailableException e) {
            batch.forEach(each -> each.failUnlessAnswered(e));
        } catch (RuntimeException e) {
            // One of the requests is at fault. Each is made alone, and its caller gets its own error.
        }
    }

    /**
     * Starts the next call if this one, which has ended or is slow, is still the latest. Returns the
     * latest call; null if there is none.
     */
    private @Nullable List<Pending<Q, A>> passOn(@Nullable List<Pending<Q, A>> before) {
        List<Pending<Q, A>> next;
        synchronized (this) {
            if (latest != before || before == null) {
                return latest;
            }
            next = nextBatch();
            latest = next.isEmpty() ? null : next;
        }
        if (next.isEmpty()) {
            return null;
        }
        next.get(0).lead(next);
        return next;
    }

    private List<Pending<Q, A>> nextBatch() {
        List<Pending<Q, A>> batch = new ArrayList<>();
        Set<Object> taken = new HashSet<>();
        for (Iterator<Pending<Q, A>> all = waiting.iterator(); all.hasNext() && batch.size() < most; ) {
            Pending<Q, A> each = all.next();
            if (taken.add(keys.apply(each.request))) {
                all.remove();
                batch.add(each);
            }
        }
        return batch;
    }

    /** A request whose caller waits for the answer. */
    public static final class Pending<Q, A> {
        private final Q request;
        private final Sleeper sleeper;

        /** The requests that this one's caller has to send. */
        private volatile @Nullable List<Pending<Q, A>> batch;

        private volatile boolean isOver;
        private @Nullable A answer;
        private @Nullable StoreUnavailableException failure;

        Pending(Q request, Sleeper sleeper) {
            this.request = request;
            this.sleeper = sleeper;
        }

        public Q request() {
            return request;
        }

        public void answer(A value) {
            answer = value;
        }

        boolean isCalled() {
            return isOver || batch != null;
        }

        void lead(List<Pending<Q, A>> requests) {
            batch = requests;
            sleeper.wake();
        }

        void failUnlessAnswered(StoreUnavailableException e) {
            if (answer == null) {
                failure = e;
            }
        }

        void end() {
            isOver = true;
            sleeper.wake();
        }

        A result(Function<Q, A> alone) {
            if (answer != null) {
                return answer;
            }
            if (failure != null) {
                // A new exception, with the stack of its own caller.
                throw new StoreUnavailableException(String.valueOf(failure.getMessage()), failure);
            }
            return alone.apply(request);
        }
    }
}
