package dev.leasehold.internal;

import dev.leasehold.model.StoreUnavailableException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Conditional writes of callers that come at the same moment, which share a call to the store. A write whose outcome is
 * unknown must not be sent again, because it would fail at its own effect. So if the outcome of a call is unknown,
 * that is the answer to each write in it. Safe for use by many threads.
 */
public final class SharedWrites<W extends SharedWrites.Write, A> {
    /** Servers accept requests of about a megabyte, and 128 operations in a transaction. */
    private static final int MOST_BYTES = 500_000;

    private static final int MOST = 100;

    /** A few small calls are faster side by side, because the server makes them durable together; a crowd is faster in large ones. */
    private static final Combiner.Lanes LANES = new Combiner.Lanes(8, 1);

    /** A write of one key. */
    public interface Write {
        String key();

        int bytes();
    }

    /** A call with several writes, of different keys. */
    @FunctionalInterface
    public interface Call<W, A> {
        /**
         * @return an answer for each write, in their order; an empty one if nothing was changed and the write has to
         *     be sent alone
         * @throws RuntimeException if it is unknown what was changed
         */
        List<Optional<A>> send(List<W> writes);
    }

    /** @param failure if the outcome of the write is unknown; otherwise there is a value */
    private record Outcome<A>(@Nullable A value, @Nullable Throwable failure) {}

    private final Combiner<W, Outcome<A>> combiner;
    private final Call<W, A> together;

    /** @param alone makes one write, and is called once for each */
    public SharedWrites(Call<W, A> together, Function<W, A> alone) {
        this.together = together;
        this.combiner =
                new Combiner<>(MOST, LANES, Write::key, this::send, write -> new Outcome<>(alone.apply(write), null));
    }

    /**
     * Makes the write, alone or together with others.
     *
     * @throws StoreUnavailableException if it is unknown whether it took effect
     */
    public A make(W write) {
        Outcome<A> outcome = combiner.ask(write);
        if (outcome.failure != null) {
            // A new exception, with the stack of its own caller.
            throw new StoreUnavailableException(String.valueOf(outcome.failure.getMessage()), outcome.failure);
        }
        return Objects.requireNonNull(outcome.value);
    }

    private void send(List<Pending<W, Outcome<A>>> requests) {
        List<Pending<W, Outcome<A>>> part = new ArrayList<>(requests.size());
        Set<String> keys = new HashSet<>();
        int bytes = 0;
        for (Pending<W, Outcome<A>> each : requests) {
            // A second write of a key has to see the first, so it is left to its caller.
            if (!keys.add(each.request().key())) {
                continue;
            }
            bytes += each.request().bytes();
            if (bytes > MOST_BYTES) {
                if (!sendPart(part)) {
                    // The others would wait for a server that does not answer. They were not sent: each is made alone.
                    return;
                }
                part.clear();
                bytes = each.request().bytes();
            }
            part.add(each);
        }
        sendPart(part);
    }

    /** Returns false if the outcome is unknown, which the callers were told. */
    private boolean sendPart(List<Pending<W, Outcome<A>>> requests) {
        List<W> writes = new ArrayList<>(requests.size());
        requests.forEach(each -> writes.add(each.request()));
        try {
            List<Optional<A>> answers = together.send(writes);
            for (int i = 0; i < answers.size(); i++) {
                Pending<W, Outcome<A>> request = requests.get(i);
                answers.get(i).ifPresent(value -> request.answer(new Outcome<>(value, null)));
            }
            return true;
        } catch (RuntimeException | Error e) {
            requests.forEach(each -> each.answerUnlessAnswered(new Outcome<>(null, e)));
            if (e instanceof Error error) {
                throw error;
            }
            return false;
        }
    }
}
