package dev.leasehold.testkit;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client of a register behind a bad network: ordered writes are lost on the way, or done with their answer lost. The caller
 * gets a {@link StoreUnavailableException} either way and cannot tell which. As safe for many threads as the register behind it.
 */
public final class FaultyRegister implements CasRegister {
    private final CasRegister behind;
    private final AtomicInteger lostRequests = new AtomicInteger();
    private final AtomicInteger lostReplies = new AtomicInteger();

    public FaultyRegister(CasRegister behind) {
        this.behind = behind;
    }

    /** The next write does not reach the register. */
    public void dropRequestOnce() {
        lostRequests.incrementAndGet();
    }

    /** The next write is done, and its answer is lost. */
    public void dropReplyOnce() {
        lostReplies.incrementAndGet();
    }

    /** How many ordered faults still wait for their call: a test that ends with some did not test what it says. */
    public int faultsWaiting() {
        return lostRequests.get() + lostReplies.get();
    }

    @Override
    public Reading read(String key) {
        return behind.read(key);
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        if (use(lostRequests)) {
            throw new StoreUnavailableException("the request was lost");
        }
        boolean changed = behind.compareAndSet(key, expected, value);
        if (use(lostReplies)) {
            throw new StoreUnavailableException("the reply was lost");
        }
        return changed;
    }

    @Override
    public boolean remove(String key, String expected) {
        return behind.remove(key, expected);
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return behind.keys(prefix, after, limit);
    }

    private static boolean use(AtomicInteger ordered) {
        return ordered.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }
}
