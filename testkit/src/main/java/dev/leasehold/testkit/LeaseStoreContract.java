package dev.leasehold.testkit;

import dev.leasehold.spi.LeaseStore;
import java.time.Duration;

/**
 * What every store must do. Extend it, say how the store is opened, and run it with JUnit against the real server; a store is
 * done when all of it passes. Each test is named after the accident it prevents.
 *
 * <p>Tests draw fresh names and leave their records behind, so the store may be kept from test to test and need not be
 * emptied. A store that keeps real time takes a few seconds.
 *
 * <p>What it cannot show: that records survive a crash of the machine, or that the clock is the store's own where the client
 * runs on the same host. Those need tests of the store itself.
 */
public abstract class LeaseStoreContract extends LeaseStoreRaces {
    /**
     * Opens a client of the store under test. Called several times in one test, also after earlier clients were closed, it
     * opens clients of the <em>same</em> store: what one wrote, the next one reads.
     */
    @Override
    protected abstract LeaseStore openStore();

    /** Lets store time pass. Really waits, unless overridden for a store whose clock can be moved by hand. */
    @Override
    protected void passTime(Duration duration) throws InterruptedException {
        super.passTime(duration);
    }

    /**
     * A ttl that tests wait for. Longer is slower; shorter than a few ticks of the store's clock makes no sense. No test
     * relies on such a lease being still held.
     */
    @Override
    protected Duration shortTtl() {
        return super.shortTtl();
    }
}
