package dev.leasehold.model;

import java.time.Duration;

/** What became of one grant in a renewal. */
public sealed interface Renewal {
    record Renewed(Duration remaining) implements Renewal {}

    record NotRenewed(Loss loss) implements Renewal {}

    /** The store could not tell for this one, though it answered for others: ask again. */
    record Unknown(String why) implements Renewal {}
}
