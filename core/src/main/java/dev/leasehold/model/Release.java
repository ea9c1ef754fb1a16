package dev.leasehold.model;

/** A store's answer to a release. */
public sealed interface Release {
    record Released() implements Release {}

    /** The same grant was released before. Harmless. */
    record AlreadyReleased() implements Release {}

    /** The grant is no longer current; nothing was changed. */
    record NotCurrent(Loss loss) implements Release {}
}
