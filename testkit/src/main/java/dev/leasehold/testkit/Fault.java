package dev.leasehold.testkit;

import java.time.Duration;

/** A fault of one call on its way to a store or back. */
public sealed interface Fault {
    Fault NONE = new None();
    Fault REQUEST_DROPPED = new RequestDropped();
    Fault REPLY_DROPPED = new ReplyDropped();

    /** No fault. */
    record None() implements Fault {}

    /** The request is lost; the caller does not know that. */
    record RequestDropped() implements Fault {}

    /** The store does what was asked, and its answer is lost. */
    record ReplyDropped() implements Fault {}

    /** The request or the reply is late, or both. */
    record Delayed(Duration request, Duration reply) implements Fault {}

    /**
     * The request reaches the store a second time, this much later; the caller gets the first
     * answer.
     */
    record Duplicated(Duration later) implements Fault {}
}
