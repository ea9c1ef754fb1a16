package dev.leasehold.simulator;

/** Something at the other end of the wire. */
interface SimulatedServer {
    /** Whether messages that arrive now find nobody. */
    boolean isAway();

    /** Whether a request may be carried out twice. A connection does not do that; a client that sends again by itself does. */
    boolean mayHearTwice();
}
