package dev.leasehold.spring.boot;

/** A mistake that is found when the application starts, with what to do about it. */
public final class LeaseSetupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String action;

    LeaseSetupException(String description, String action) {
        super(description);
        this.action = action;
    }

    /** What the developer can do. */
    public String action() {
        return action;
    }
}
