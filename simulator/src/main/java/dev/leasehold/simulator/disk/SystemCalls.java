package dev.leasehold.simulator.disk;

/** The process on whose behalf a call is made, as the disk sees it. */
public interface SystemCalls {
    /** Before every call: the process may stand still or die here. */
    void enter();

    /** While something is made durable, which takes its time. */
    void waitForTheDisk();

    /** Whether what needs space finds none. */
    boolean isFull();

    /** The locks of a dead process are gone. */
    boolean isDead();
}
