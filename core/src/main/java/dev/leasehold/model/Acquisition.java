package dev.leasehold.model;

import java.time.Duration;

/** What a store answers to a call for ownership. */
public sealed interface Acquisition {
    /**
     * The caller owns the name.
     *
     * @param remaining how long until the deadline, by the store's clock
     */
    record Granted(Grant grant, Duration remaining, Transfer transfer) implements Acquisition {}

    /** Somebody else's deadline has not passed. Not an error. */
    record Busy(FencingToken token, Holder holder, Duration remaining) implements Acquisition {}

    /** This attempt id had its grant and it is over: draw a new id and a new stamp. */
    record Spent() implements Acquisition {}
}
