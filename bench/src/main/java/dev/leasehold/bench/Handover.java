package dev.leasehold.bench;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A lock that one client holds and another one waits for. */
interface Handover {
    /** Acquires the lock. Closing the result releases it, on the same thread. */
    AutoCloseable hold() throws Exception;

    /**
     * Waits for the lock with another client. Closing the result releases it, on the same thread.
     */
    AutoCloseable await() throws Exception;

    static Handover leasehold(Leases holder, Leases waiter, LeaseTerms terms) {
        LeaseName name = LeaseName.of("bench/handover");
        return new Handover() {
            @Override
            public Lease hold() {
                return holder.tryAcquire(name, terms).lease().orElseThrow();
            }

            @Override
            public Lease await() throws Exception {
                return waiter.acquireWithin(name, terms, Duration.ofSeconds(20))
                        .lease()
                        .orElseThrow();
            }
        };
    }

    /** Long enough for a waiter to have asked once and to listen. */
    int PAUSE_MILLIS = 30;

    /**
     * A single step under the conditions of a handover: after a pause in which the cores went idle.
     */
    static Comparison.Timed afterAPause(Comparison.Work step) {
        return times -> {
            double sum = 0;
            for (int i = 0; i < times; i++) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                long began = System.nanoTime();
                step.repeat(1);
                sum += System.nanoTime() - began;
            }
            return sum / times / 1000;
        };
    }

    /** From the call that releases until the waiter knows that it owns the lock. */
    default double micros(int times) throws Exception {
        double sum = 0;
        for (int i = 0; i < times; i++) {
            AutoCloseable held = hold();
            CompletableFuture<Long> granted = new CompletableFuture<>();
            Thread waiting = new Thread(() -> {
                try (AutoCloseable taken = await()) {
                    granted.complete(System.nanoTime());
                } catch (Exception e) {
                    granted.completeExceptionally(e);
                }
            });
            waiting.start();
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            long released = System.nanoTime();
            held.close();
            sum += granted.get(20, TimeUnit.SECONDS) - released;
            waiting.join();
        }
        return sum / times / 1000;
    }
}
