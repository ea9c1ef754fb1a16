package dev.leasehold.simulator;

/** A server on the network. */
interface SimulatedServer {
    /** Whether messages that arrive now are lost. */
    boolean isUnavailable();

    /**
     * Whether a request may run twice. A connection does not repeat requests; a client that retries
     * does.
     */
    boolean mayRepeatRequests();
}
