package dev.leasehold.internal;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A thread that waits in {@link Combiner}. */
final class SystemSleeper implements Combiner.Sleeper {
    private final Thread thread = Thread.currentThread();

    @Override
    public void await(BooleanSupplier condition, Duration atMost) {
        boolean interrupted = false;
        long end = System.nanoTime() + atMost.toNanos();
        for (long left = atMost.toNanos(); left > 0 && !condition.getAsBoolean(); left = end - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            thread.interrupt();
        }
    }

    @Override
    public void wake() {
        if (thread != Thread.currentThread()) {
            LockSupport.unpark(thread);
        }
    }
}
