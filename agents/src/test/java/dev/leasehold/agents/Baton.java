package dev.leasehold.agents;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Runs threads one at a time. At each pause a thread hands the baton back, and the owner of the baton
 * decides who runs next: so an interleaving is a sequence of choices, and a seed replays it.
 */
final class Baton {
    private final List<Runner> runners = new ArrayList<>();
    private final Semaphore owner = new Semaphore(0);
    private volatile boolean off;

    /** One of the threads. */
    final class Runner {
        private final Semaphore turn = new Semaphore(0);
        private final Thread thread;
        private volatile boolean ended;
        private volatile Throwable failure;

        private Runner(String name, Runnable work) {
            thread = new Thread(
                    () -> {
                        turn.acquireUninterruptibly();
                        try {
                            work.run();
                        } catch (RuntimeException | Error e) {
                            failure = e;
                        } finally {
                            ended = true;
                            owner.release();
                        }
                    },
                    name);
            thread.setDaemon(true);
        }

        boolean ended() {
            return ended;
        }

        /** Runs until the next pause. */
        void step() {
            turn.release();
            owner.acquireUninterruptibly();
            if (failure != null) {
                throw new AssertionError(thread.getName() + " failed", failure);
            }
        }
    }

    Runner add(String name, Runnable work) {
        Runner runner = new Runner(name, work);
        runners.add(runner);
        runner.thread.start();
        return runner;
    }

    /** Called by the threads. */
    void pause() {
        for (Runner runner : runners) {
            if (runner.thread == Thread.currentThread()) {
                owner.release();
                runner.turn.acquireUninterruptibly();
                if (off) {
                    throw new IllegalStateException("the scenario is over");
                }
                return;
            }
        }
    }

    /** Ends threads that are left. */
    void end() {
        off = true;
        for (Runner runner : runners) {
            while (!runner.ended) {
                runner.turn.release();
                owner.acquireUninterruptibly();
            }
        }
    }
}
