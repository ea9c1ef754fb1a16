package dev.leasehold.agents;

/** A part of the hook that a scenario can do without, to show that the interleavings notice it. */
enum Guard {
    /** The agents do not call the hook at all. */
    HOOK,
    /** Each session has a store of its own. */
    LEASE,
    /** All contents have the same hash. */
    CONTENT,
    /** A permitted edit does not exclude the other agents of its session. */
    PERMIT,
    /** An agent does not hear what the hook says after an edit. */
    LOOK_AFTER_THE_EDIT,
    /** No copies are kept. */
    COPIES
}
