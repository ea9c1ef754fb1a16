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
 * Something done to the world outside that cannot check a token: a mail, a payment, a call of somebody else's API.
 * <strong>Best effort</strong>: between the check and the effect this process can be paused and act as a zombie afterwards.
 * The result says how long that window was. What this does make sure of:
 *
 * <ul>
 *   <li>A step is written to the store's register first, under the grant and the operation's id; a token lower than one that
 *       was seen there is refused in the same atomic step.
 *   <li>The call gets the id as its idempotency key, so that a target which knows such keys does it once.
 *   <li>The outcome is written last. An operation that has one is not called again. One that was begun and has none (a crash,
 *       a timeout, an exception) is {@link Outcome.Unknown}, for whoever tries it next as well: it is never silently
 *       repeated. Ask the target, then {@link #settle}.
 * </ul>
 *
 * <p>Works on every store. Safe for use by many threads.
 */
public final class SideEffect {
    private final BestEffortGate gate;
    private final EffectSteps steps;
    private final Ticker ticker;

    public SideEffect(LeaseStore store, Ticker ticker) {
        this.gate = new BestEffortGate(store, ticker);
        this.steps = new EffectSteps(store.register());
        this.ticker = ticker;
    }

    /** The call itself. An exception means that its outcome is unknown. */
    @FunctionalInterface
    public interface Call {
        Answer make(OperationId idempotencyKey) throws Exception;
    }

    /**
     * What the target answered.
     *
     * @param made false if it certainly did not do it, and it may be tried again
     * @param text what to remember of it, at most 500 characters
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

    /** The result of a call with a side effect. */
    public sealed interface Outcome {
        /**
         * The call was made and answered.
         *
         * @param toStart from before the store was asked until the call began: the window in which the lease may have been
         *     lost unseen
         * @param toEnd from before the store was asked until the call had answered
         * @param recorded false if the store could not be told, and also if nothing was made and the step is not this call's to
         *     end any more, because a newer token has been there or somebody settled it. A step that is still there is {@link
         *     Unknown} to whoever asks next
         */
        record BestEffort(Answer answer, Duration toStart, Duration toEnd, boolean recorded) implements Outcome {}

        /** It was made before, under that token; the call was not made again. */
        record MadeBefore(FencingToken by, String text) implements Outcome {}

        /** It was begun before and no outcome is known; the call was not made again. Ask the target. */
        record Unknown(Begun begun) implements Outcome {}

        /** The grant is not current; the call was not made. */
        record Refused(String why) implements Outcome {}
    }

    /** An operation that was begun and has no outcome. */
    public record Begun(OperationId operation, FencingToken token, Instant at) {
        public String explanation() {
            return "whether operation " + operation + " took effect is unknown: token " + token + " began it at " + at
                    + " and told no outcome. Ask the target, under this id as its idempotency key, then settle it";
        }
    }

    /** Tells of a grant when work starts: from then on, operations of older tokens cannot be begun. */
    public Admission raise(Grant grant) {
        return steps.raise(grant);
    }

    /**
     * Makes the call, unless the grant is not current or the operation was begun before.
     *
     * @throws Exception what the call threw; its outcome is then unknown, and stays so until it is settled
     */
    public Outcome perform(Grant grant, OperationId operation, Call call) throws Exception {
        ClockReading asked = ticker.read();
        Optional<Loss> loss = gate.check(grant);
        if (loss.isPresent()) {
            return new Outcome.Refused(loss.get().explanation());
        }
        EffectSteps.Start start = steps.begin(grant, operation);
        if (start instanceof EffectSteps.Start.Answered answered) {
            return answered.outcome();
        }
        Begun step = ((EffectSteps.Start.Begins) start).step();
        ClockReading started = ticker.read();
        Answer answer = call.make(operation);
        ClockReading ended = ticker.read();
        return new Outcome.BestEffort(
                answer, asked.elapsedUntil(started), asked.elapsedUntil(ended), record(grant, step, answer));
    }

    /** The effect is there, or not, whatever becomes of our note of it: the caller must get the answer. */
    @SuppressWarnings("CatchingUnchecked")
    private boolean record(Grant grant, Begun step, Answer answer) {
        try {
            return steps.end(grant, step, answer);
        } catch (RuntimeException | Error e) {
            Failure.log("what became of operation " + step.operation() + " could not be recorded", e);
            return false;
        }
    }

    /** Operations of a lease that were begun and have no outcome: of a crash, or of somebody who is at it right now. */
    public List<Begun> unsettled(LeaseName name) {
        return steps.unsettled(name);
    }

    /**
     * Says what became of an operation whose outcome was unknown, after the target was asked. A stale grant ends nothing: its
     * successor may have begun the operation again.
     */
    public Admission settle(Grant grant, OperationId operation, Answer answer) {
        return steps.settle(grant, operation, answer);
    }
}
