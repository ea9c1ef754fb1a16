package dev.leasehold.testkit;

import java.time.Duration;

/** What becomes of one call on its way to a store and back. */
public sealed interface Fault {
    Fault NONE = new None();
    Fault REQUEST_DROPPED = new RequestDropped();
    Fault REPLY_DROPPED = new ReplyDropped();

    /** Arrives and is answered. */
    record None() implements Fault {}

    /** Never reaches the store; the caller cannot know that. */
    record RequestDropped() implements Fault {}

    /** The store does what was asked, and its answer is lost. */
    record ReplyDropped() implements Fault {}

    /** Reaches the store late, or is answered late, or both. */
    record Delayed(Duration request, Duration reply) implements Fault {}

    /** Reaches the store a second time, this much after the first; the caller gets the first answer. */
    record Duplicated(Duration later) implements Fault {}
}
