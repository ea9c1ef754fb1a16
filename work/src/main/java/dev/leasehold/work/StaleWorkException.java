package dev.leasehold.work;

/** Thrown to work that goes on after its key was claimed by somebody else. */
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
