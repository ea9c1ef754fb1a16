package dev.leasehold.work;

/** Thrown when work continues after another run has claimed its key. */
public final class StaleWorkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient WorkStep.Stale stale;

    StaleWorkException(WorkStep.Stale stale) {
        super(stale.explanation());
        this.stale = stale;
    }

    public WorkStep.Stale stale() {
        return stale;
    }
}
