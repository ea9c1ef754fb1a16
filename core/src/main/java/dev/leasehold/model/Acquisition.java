package dev.leasehold.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A store's answer to a request for ownership. */
public sealed interface Acquisition {
    /**
     * The caller owns the name.
     *
     * @param remaining the time until the deadline, by the store's clock
     * @param transfer how ownership changed
     */
    record Granted(Grant grant, Duration remaining, Transfer transfer) implements Acquisition {}

    /** Another holder's deadline has not passed. Not an error. */
    record Busy(FencingToken token, Holder holder, Duration remaining) implements Acquisition {}

    /** The grant of this attempt is over. A new attempt needs a new id and a new clock reading. */
    record Spent() implements Acquisition {}

    /**
     * The intervention required a token that is no longer current. Nothing was changed.
     *
     * @param current the latest change of ownership; null if the name is new
     */
    record Moved(@Nullable Transfer current) implements Acquisition {}
}
