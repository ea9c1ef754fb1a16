package dev.leasehold.simulator.disk;

/** The process that makes a call, as the disk sees it. */
public interface SystemCalls {
    /** Called before every system call: the process may pause or die here. */
    void enter();

    /** Called while data is synced, which takes time. */
    void waitForSync();

    /** Whether writes that need space fail. */
    boolean isFull();

    /** A dead process holds no locks. */
    boolean isDead();
}
