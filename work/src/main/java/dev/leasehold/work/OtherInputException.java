package dev.leasehold.work;

/** Thrown when a key is to be run with another input than before: a mistake of the caller's, not a retry. Nothing was run. */
public final class OtherInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OtherInputException(Claim.OtherInput refusal) {
        super(refusal.explanation());
    }
}
