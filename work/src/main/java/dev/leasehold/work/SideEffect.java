package dev.leasehold.work;

import dev.leasehold.fence.BestEffortGate;
import dev.leasehold.internal.Failure;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.OperationId;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A call to a system that cannot check a token: a mail, a payment, a third-party API. There are
 * four ways to reach such a system or to avoid the need:
 *
 * <ul>
 *   <li>If the target can check a token, use a {@link dev.leasehold.fence.Fence}. Nothing else
 *       closes the window.
 *   <li>If the effect follows from finished work, declare it with the completion in the {@link
 *       WorkLedger}. It is delivered at least once, always with the same {@link Effect#id()}, to an
 *       {@link EffectHandler}.
 *   <li>If the call is part of the work and must not be repeated without asking, use this class. An
 *       operation is started at most once, and its outcome is recorded.
 *   <li>If nothing has to be remembered, use {@link BestEffortGate}. It only asks the store before
 *       the action.
 * </ul>
 *
 * <p>A side effect is <strong>best effort</strong>: a process that is paused between the
 * check and the call acts as a zombie afterwards. The result contains the length of this
 * window. What is guaranteed:
 *
 * <ul>
 *   <li>The operation is recorded in the store's register before the call, under the grant
 *       and the operation id. A token lower than one that was recorded there is refused in
 *       the same atomic step.
 *   <li>The call gets the operation id as its idempotency key, so a target that supports such keys
 *       acts once.
 *   <li>The outcome is recorded after the call, and an operation with an outcome is not called
 *       again. An operation without one (after a crash, a timeout or an exception) is {@link
 *       Outcome.Unknown} for every later caller and is never repeated automatically. Ask the
 *       target, then {@link #settle} it.
 * </ul>
 *
 * <p>Works with every store. Safe for use by many threads.
 */
public final class SideEffect {
    private final BestEffortGate gate;
    private final SideEffectRecords records;
    private final Ticker ticker;

    public SideEffect(LeaseStore store, Ticker ticker) {
        this.gate = new BestEffortGate(store, ticker);
        this.records = new SideEffectRecords(store.register());
        this.ticker = ticker;
    }

    /** The call. An exception means that its outcome is unknown. */
    @FunctionalInterface
    public interface Call {
        Answer make(OperationId idempotencyKey) throws Exception;
    }

    /**
     * The answer of the target.
     *
     * @param made false if the target certainly did not act, so that the call may be tried again
     * @param text what to record of the answer, at most 500 characters
     */
    public record Answer(boolean made, String text) {
        private static final int MAX_TEXT = 500;

        public Answer {
            text = text.substring(0, Math.min(MAX_TEXT, text.length()));
        }

        public static Answer made(String text) {
            return new Answer(true, text);
        }

        public static Answer notMade(String text) {
            return new Answer(false, text);
        }
    }

    /** What became of an operation. */
    public sealed interface Outcome {
        /**
         * The call was made and answered.
         *
         * @param toStart from before the store was asked until the call started: within this window
         *     the lease may have been lost unnoticed
         * @param toEnd from before the store was asked until the call returned
         * @param recorded whether the outcome is in the store. False if the store could not be
         *     reached. False also if the target did not act and this call no longer owns the
         *     operation, because a newer token was seen or the operation was settled. An operation
         *     that is still recorded as begun is {@link Unknown} to the next caller
         */
        record BestEffort(Answer answer, Duration toStart, Duration toEnd, boolean recorded) implements Outcome {}

        /** The call was made before, under this token, and is not repeated. */
        record MadeBefore(FencingToken by, String text) implements Outcome {}

        /**
         * The operation was begun before and has no outcome. The call is not repeated. Ask
         * the target.
         */
        record Unknown(Begun begun) implements Outcome {}

        /** The grant is not current. The call was not made. */
        record Refused(String why) implements Outcome {}
    }

    /** An operation that was begun and has no outcome. */
    public record Begun(OperationId operation, FencingToken token, Instant at) {
        public String explanation() {
            return "whether operation " + operation + " took effect is unknown: token " + token + " began it at " + at
                    + " and recorded no outcome. Ask the target, with this id as the idempotency key, then settle it";
        }
    }

    /** Call this when work starts: from then on, older tokens cannot begin operations. */
    public Admission raise(Grant grant) {
        return records.raise(grant);
    }

    /** The result of {@link #begin}. */
    public sealed interface Start {
        /** The operation is recorded. The caller makes the call now, and records its end. */
        record Begins(Begun operation) implements Start {}

        /** The caller must not make the call. */
        record Answered(Outcome outcome) implements Start {}
    }

    /**
     * Records the beginning of an operation, for a caller that makes the call itself and then calls
     * {@link #end}. Where you can, use {@link #perform}.
     */
    public Start begin(Grant grant, OperationId operation) {
        Optional<Loss> loss = gate.check(grant);
        return loss.isPresent()
                ? new Start.Answered(new Outcome.Refused(loss.get().explanation()))
                : records.begin(grant, operation);
    }

    /**
     * Records the outcome of an operation that this caller has begun.
     *
     * @return whether it is recorded: false if the target did not act and the caller no longer owns
     *     the operation
     */
    public boolean end(Grant grant, Begun begun, Answer answer) {
        return records.end(grant, begun, answer);
    }

    /** What is recorded of an operation: made before, unknown, or nothing. */
    public Optional<Outcome> find(LeaseName name, OperationId operation) {
        return records.find(name, operation);
    }

    /**
     * Makes the call, unless the grant is not current or the operation was begun before.
     *
     * @throws Exception what the call threw; the outcome is then unknown until the operation
     *     is settled
     */
    public Outcome perform(Grant grant, OperationId operation, Call call) throws Exception {
        ClockReading asked = ticker.read();
        Start start = begin(grant, operation);
        if (start instanceof Start.Answered answered) {
            return answered.outcome();
        }
        Begun begun = ((Start.Begins) start).operation();
        ClockReading started = ticker.read();
        Answer answer = call.make(operation);
        ClockReading ended = ticker.read();
        return new Outcome.BestEffort(
                answer, asked.elapsedUntil(started), asked.elapsedUntil(ended), record(grant, begun, answer));
    }

    /**
     * A failure to record the outcome does not change what the target did, so the caller still gets
     * its answer.
     */
    @SuppressWarnings("CatchingUnchecked")
    private boolean record(Grant grant, Begun begun, Answer answer) {
        try {
            return records.end(grant, begun, answer);
        } catch (RuntimeException | Error e) {
            Failure.log("the outcome of operation " + begun.operation() + " could not be recorded", e);
            return false;
        }
    }

    /**
     * The operations of a lease that were begun and have no outcome: they crashed, or are
     * running now.
     */
    public List<Begun> unsettled(LeaseName name) {
        return records.unsettled(name);
    }

    /**
     * Records the outcome of an operation whose outcome was unknown, after the target was asked. A
     * stale grant settles nothing, because its successor may have begun the operation again.
     */
    public Admission settle(Grant grant, OperationId operation, Answer answer) {
        return records.settle(grant, operation, answer);
    }
}
