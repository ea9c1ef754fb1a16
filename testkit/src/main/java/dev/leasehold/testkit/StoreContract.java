package dev.leasehold.testkit;

import dev.leasehold.spi.LeaseStore;
import java.time.Duration;

/**
 * What a contract must know about the store under test: how it is opened, and how its time passes.
 */
abstract class StoreContract {
    /**
     * Opens a client of the store under test. A test calls it several times, also after it closed
     * earlier clients, and expects clients of the <em>same</em> store: what one client wrote, the
     * next one reads.
     */
    protected abstract LeaseStore openStore();

    /**
     * Lets store time pass. By default it sleeps; override it for a store whose clock the test can
     * move.
     */
    protected void passTime(Duration duration) throws InterruptedException {
        Thread.sleep(duration.toMillis() + 1);
    }

    /**
     * A ttl that tests wait for. A longer one makes the tests slower; one shorter than a few ticks
     * of the store's clock is useless. No test relies on such a lease being still held.
     */
    protected Duration shortTtl() {
        return Duration.ofMillis(150);
    }
}
