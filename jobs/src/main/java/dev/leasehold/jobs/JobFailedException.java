package dev.leasehold.jobs;

/** A job's work failed in a way that needs no further explanation than its message, such as {@code exit 3}. */
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

    /** The work was cut off because its lease could not be trusted, whatever the lease says by now: the slot is tried again. */
    public static JobFailedException leaseLost(String message) {
        return new JobFailedException(message, true);
    }

    boolean isLeaseLost() {
        return leaseLost;
    }
}
