package dev.leasehold.simulator;

import java.util.concurrent.Semaphore;

/** One thread of execution in the simulation. It runs only while it holds the baton. */
final class Fiber {
    private final String name;
    private final Semaphore turn = new Semaphore(0);
    private volatile boolean dropped;

    Fiber(String name) {
        this.name = name;
    }

    static Fiber ofThisThread(String name) {
        return new Fiber(name);
    }

    void passBaton() {
        turn.release();
    }

    void awaitTurn() {
        turn.acquireUninterruptibly();
    }

    /** Ends the fiber after the simulation: it resumes only to unwind its stack. */
    void drop() {
        dropped = true;
        turn.release();
    }

    boolean isDropped() {
        return dropped;
    }

    @Override
    public String toString() {
        return name;
    }
}
