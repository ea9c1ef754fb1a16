package dev.leasehold.internal;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.StoreUnreachableException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A request to a {@link Combiner} whose caller waits for the answer. */
public final class Pending<Q, A> {
    private final Q request;
    final @Nullable Object key;
    final Combiner.Sleeper sleeper;

    /** The call that this request's caller has to make. */
    volatile @Nullable Flight<Q, A> toSend;

    /** How long it waits before it looks after the calls under way. */
    volatile Duration patience = Combiner.SECOND;

    /** The call that it overtakes then, if that is still under way. */
    @Nullable
    Flight<Q, A> before;

    /** Whether it was part of a call that did not answer it. Written by the sender, before it wakes the caller. */
    volatile boolean wasShared;

    private volatile boolean isTold;
    private @Nullable A answer;
    private @Nullable StoreUnavailableException failure;

    Pending(Q request, @Nullable Object key, Combiner.Sleeper sleeper) {
        this.request = request;
        this.key = key;
        this.sleeper = sleeper;
    }

    public Q request() {
        return request;
    }

    public void answer(A value) {
        answer = value;
    }

    public void answerUnlessAnswered(A value) {
        if (answer == null) {
            answer = value;
        }
    }

    /** What the call has answered so far. */
    public @Nullable A answer() {
        return answer;
    }

    boolean isCalled() {
        return isTold || toSend != null;
    }

    boolean isSettled() {
        return answer != null || failure != null;
    }

    void lead(Flight<Q, A> flight) {
        toSend = flight;
        sleeper.wake();
    }

    void failUnlessAnswered(StoreUnavailableException e) {
        if (answer == null) {
            failure = e;
        }
    }

    /** Wakes the caller if it has its answer, or something to do. */
    void tell() {
        if (isSettled()) {
            isTold = true;
        }
        if (isCalled()) {
            sleeper.wake();
        }
    }

    A result() {
        if (answer != null) {
            return answer;
        }
        // A new exception, with the stack of its own caller.
        StoreUnavailableException lost = Objects.requireNonNull(failure);
        String message = String.valueOf(lost.getMessage());
        throw lost instanceof StoreUnreachableException
                ? new StoreUnreachableException(message, lost)
                : new StoreUnavailableException(message, lost);
    }
}
