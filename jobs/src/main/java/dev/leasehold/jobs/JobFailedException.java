package dev.leasehold.jobs;

/**
 * A job's work failed, and its message says enough, such as {@code exit 3}: the outcome shows it
 * without the class name.
 */
public final class JobFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean leaseLost;

    public JobFailedException(String message) {
        this(message, false);
    }

    private JobFailedException(String message, boolean leaseLost) {
        super(message);
        this.leaseLost = leaseLost;
    }

    /** The work was stopped because its lease could not be trusted. The slot is tried again. */
    public static JobFailedException leaseLost(String message) {
        return new JobFailedException(message, true);
    }

    boolean isLeaseLost() {
        return leaseLost;
    }
}
