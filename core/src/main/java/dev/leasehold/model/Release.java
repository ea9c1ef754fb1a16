package dev.leasehold.model;

/** What became of a release. */
public sealed interface Release {
    record Released() implements Release {}

    /** The same grant was released before: harmless, and told apart. */
    record AlreadyReleased() implements Release {}

    /** The token was not current any more; nothing was changed. */
    record NotCurrent(Loss loss) implements Release {}
}
