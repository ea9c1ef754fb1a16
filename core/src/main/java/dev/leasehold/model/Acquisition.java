package dev.leasehold.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

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

    /**
     * The move was to be made only while a certain token was current, and it is not. Nothing was changed.
     *
     * @param current the latest change of ownership; null if the store does not know the name
     */
    record Moved(@Nullable Transfer current) implements Acquisition {}
}
