package dev.leasehold.jobs;

/** A job's work failed in a way that needs no further explanation than its message, such as {@code exit 3}. */
public final class JobFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    public JobFailedException(String message) {
        super(message);
    }
}
