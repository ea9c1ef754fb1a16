package dev.leasehold.simulator;

/**
 * Unwinds a fiber when its process dies. An error and not an exception, so that the engine does not
 * catch it and go on.
 */
final class Crashed extends Error {
    private static final long serialVersionUID = 1;

    Crashed() {
        super("the process died", null, false, false);
    }
}
