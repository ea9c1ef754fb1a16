package dev.leasehold.model;

/**
 * There is no store at this place: it was never created there, its disk is not mounted, or its
 * database was flushed or replaced. Nothing was changed. A store is only created on request, because
 * a store created by mistake would grant leases that are held in the real one.
 */
public final class StoreMissingException extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    public StoreMissingException(String message) {
        super(message);
    }
}
