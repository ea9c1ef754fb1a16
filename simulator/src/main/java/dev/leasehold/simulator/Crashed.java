package dev.leasehold.simulator;

/** Takes a line of execution out of the engine when its process dies. Not an exception: nothing may catch it and go on. */
final class Crashed extends Error {
    private static final long serialVersionUID = 1;

    Crashed() {
        super("the process died", null, false, false);
    }
}
