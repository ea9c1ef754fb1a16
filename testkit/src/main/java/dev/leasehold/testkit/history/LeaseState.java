package dev.leasehold.testkit.history;

import dev.leasehold.testkit.history.LeaseCall.Answer;
import dev.leasehold.testkit.history.LeaseCall.Word;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A simple model of a lease, with which the answers of stores are compared.
 *
 * <p>Only the store knows when a lease expires. Seen from outside, the deadline is one ttl after
 * some moment of the call that set it. A call can find it expired from the earliest such moment on,
 * and not expired until the latest. Each call decides this separately: a database that shows a row
 * as it was before a concurrent renewal reports a lapse to one client while it renews for another.
 * This does not affect who gets the name, because a lock decides that.
 *
 * @param token the token of the latest grant; 0 if there was none
 * @param attempt the attempt of that grant
 * @param earliest the earliest time at which the deadline can have passed
 * @param latest the time from which on it must have passed
 */
record LeaseState(long token, String attempt, boolean released, long earliest, long latest) {
    static final LeaseState NEW = new LeaseState(0, "", true, 0, 0);

    /**
     * Clocks of file systems tick coarsely, and the clock of a server differs from that of this
     * process.
     */
    private static final long SLACK = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long FOR_EVER = TimeUnit.MINUTES.toNanos(10);

    /** One possible outcome: the answer, and the state after it. */
    record Step(Answer answer, LeaseState after) {}

    /**
     * All possible outcomes of the call. There are at most two: the deadline has passed, or not.
     *
     * @param by the time by which the call must have taken effect
     */
    List<Step> steps(LeaseCall call, long by) {
        boolean mayBeOver = released || by >= earliest;
        boolean mayLast = !released && call.began() <= latest;
        if (mayBeOver && mayLast) {
            return List.of(step(call, by, false), step(call, by, true));
        }
        return List.of(step(call, by, mayBeOver));
    }

    private Step step(LeaseCall call, long by, boolean free) {
        return switch (call.kind()) {
            case ACQUIRE -> acquire(call, by, free);
            case TAKEOVER -> granted(call, by);
            case RENEW ->
                isCurrent(call, free) ? new Step(Answer.of(Word.RENEWED), extended(call, by)) : keep(loss(call));
            case RELEASE ->
                isCurrent(call, free) ? new Step(Answer.of(Word.RELEASED), afterRelease()) : keep(loss(call));
        };
    }

    private Step acquire(LeaseCall call, long by, boolean free) {
        if (token > 0 && attempt.equals(call.attempt())) {
            return free ? keep(Answer.of(Word.SPENT)) : new Step(new Answer(Word.GRANTED, token), extended(call, by));
        }
        return free ? granted(call, by) : keep(new Answer(Word.BUSY, token));
    }

    private Step granted(LeaseCall call, long by) {
        LeaseState after = new LeaseState(token + 1, call.attempt(), false, earliest(call), latest(call, by));
        return new Step(new Answer(Word.GRANTED, token + 1), after);
    }

    private boolean isCurrent(LeaseCall call, boolean free) {
        return call.token() == token && call.attempt().equals(attempt) && !free;
    }

    private Answer loss(LeaseCall call) {
        if (call.token() < token) {
            return new Answer(Word.SUPERSEDED, token);
        }
        if (call.token() > token || !call.attempt().equals(attempt)) {
            return Answer.of(Word.FORGOTTEN);
        }
        return Answer.of(released ? Word.ALREADY_RELEASED : Word.LAPSED);
    }

    private Step keep(Answer answer) {
        return new Step(answer, this);
    }

    private LeaseState afterRelease() {
        return new LeaseState(token, attempt, true, 0, 0);
    }

    private LeaseState extended(LeaseCall call, long by) {
        return new LeaseState(
                token, attempt, false, Math.max(earliest, earliest(call)), Math.max(latest, latest(call, by)));
    }

    private static long earliest(LeaseCall call) {
        return isForEver(call) ? Long.MAX_VALUE : call.began() + call.ttl() - SLACK;
    }

    private static long latest(LeaseCall call, long by) {
        return isForEver(call) ? Long.MAX_VALUE : by + call.ttl() + SLACK;
    }

    /**
     * Longer than any history. Then it does not matter which call set the deadline, and the search
     * need not distinguish these states.
     */
    private static boolean isForEver(LeaseCall call) {
        return call.ttl() >= FOR_EVER;
    }
}
