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
    /** Takes it; what is returned gives it back, on the same thread. */
    AutoCloseable hold() throws Exception;

    /** Waits for it, by another client; what is returned gives it back, on the same thread. */
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

    /** From the call that releases to the moment the waiter knows that it owns. */
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
            // Long enough for it to have asked in vain and to listen.
            TimeUnit.MILLISECONDS.sleep(30);
            long released = System.nanoTime();
            held.close();
            sum += granted.get(20, TimeUnit.SECONDS) - released;
            waiting.join();
        }
        return sum / times / 1000;
    }
}
