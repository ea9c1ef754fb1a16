package dev.leasehold.simulator;

/** A server carried nothing out and says so. */
final class ServerFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    ServerFailure(String message) {
        super(message, null, false, false);
    }
}
