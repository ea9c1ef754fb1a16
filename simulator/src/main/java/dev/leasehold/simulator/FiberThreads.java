package dev.leasehold.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;

/**
 * Threads that are reused between simulations, because starting new ones for each of a million
 * would take most of the time.
 */
final class FiberThreads implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(null, task, "leasehold-simulation", 256 * 1024);
        thread.setDaemon(true);
        return thread;
    });
    private final List<Fiber> lent = new ArrayList<>();
    private final Phaser alive = new Phaser(1);

    void assign(Fiber fiber, Runnable life) {
        lent.add(fiber);
        alive.register();
        threads.execute(() -> {
            try {
                life.run();
            } finally {
                alive.arriveAndDeregister();
            }
        });
    }

    /** Ends every waiting fiber and waits for its thread. */
    void release() {
        for (Fiber fiber : lent) {
            fiber.drop();
        }
        lent.clear();
        alive.arriveAndAwaitAdvance();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
