package dev.leasehold.work;

/**
 * Thrown when a key is used with another input than before, which is a mistake and not a retry.
 * Nothing was run.
 */
public final class OtherInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OtherInputException(Claim.OtherInput refusal) {
        super(refusal.explanation());
    }
}
