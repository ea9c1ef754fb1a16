package dev.leasehold.simulator;

/** The server did not run the request, and reports so. */
final class ServerFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    ServerFailure(String message) {
        super(message, null, false, false);
    }
}
