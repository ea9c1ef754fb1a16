package dev.leasehold.cli.args;

/** The command line cannot be meant like this. The message is one line for the person who typed it. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }

    public UsageException(String message, Throwable cause) {
        super(message, cause);
    }
}
