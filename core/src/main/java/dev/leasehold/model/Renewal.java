package dev.leasehold.model;

import java.time.Duration;

/** A store's answer for one grant in a renewal. */
public sealed interface Renewal {
    record Renewed(Duration remaining) implements Renewal {}

    record NotRenewed(Loss loss) implements Renewal {}

    /** The store answered, but the outcome for this grant is unknown: renew it again. */
    record Unknown(String why) implements Renewal {}
}
