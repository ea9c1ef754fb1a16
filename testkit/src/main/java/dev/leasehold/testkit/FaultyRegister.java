package dev.leasehold.testkit;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * A client of a register behind a bad network: ordered writes are lost on the way, or done with their answer lost, or the
 * client is cut off for good. The caller gets a {@link StoreUnavailableException} either way and cannot tell which. As safe for
 * many threads as the register behind it.
 */
public final class FaultyRegister implements CasRegister {
    private final CasRegister behind;
    private final AtomicInteger lostRequests = new AtomicInteger();
    private final AtomicInteger lostReplies = new AtomicInteger();
    private final AtomicInteger writesLeft = new AtomicInteger(Integer.MAX_VALUE);
    private final AtomicReference<Interleaved> interleaved = new AtomicReference<>();
    private volatile boolean lastWriteLands;

    private record Interleaved(String prefix, Runnable action) {}

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

    /** Something that somebody else does right before the next write to a key that starts with {@code prefix}, once. */
    public void beforeNextWriteTo(String prefix, Runnable action) {
        interleaved.set(new Interleaved(prefix, action));
    }

    /**
     * As if the process died: after this many more writes nothing gets through any more.
     *
     * @param oneMoreLands whether the write at which it dies still reaches the register
     */
    public void dieAfter(int writes, boolean oneMoreLands) {
        lastWriteLands = oneMoreLands;
        writesLeft.set(writes);
    }

    /** Whether the end that {@link #dieAfter} ordered has come. */
    public boolean isDead() {
        return writesLeft.get() < 0;
    }

    /** How much of what was ordered still waits for its call: a test that ends with some did not test what it says. */
    public int faultsWaiting() {
        return lostRequests.get() + lostReplies.get() + (interleaved.get() == null ? 0 : 1);
    }

    @Override
    public Reading read(String key) {
        requireAlive();
        return behind.read(key);
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        Interleaved other = interleaved.get();
        if (other != null && key.startsWith(other.prefix) && interleaved.compareAndSet(other, null)) {
            other.action.run();
        }
        return write(() -> behind.compareAndSet(key, expected, value));
    }

    @Override
    public boolean remove(String key, String expected) {
        return write(() -> behind.remove(key, expected));
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        requireAlive();
        return behind.keys(prefix, after, limit);
    }

    private boolean write(BooleanSupplier write) {
        requireAlive();
        boolean dies = writesLeft.getAndDecrement() <= 0;
        if (use(lostRequests) || (dies && !lastWriteLands)) {
            throw new StoreUnavailableException("the request was lost");
        }
        boolean changed = write.getAsBoolean();
        if (use(lostReplies) || dies) {
            throw new StoreUnavailableException("the reply was lost");
        }
        return changed;
    }

    private void requireAlive() {
        if (isDead()) {
            throw new StoreUnavailableException("cut off");
        }
    }

    private static boolean use(AtomicInteger ordered) {
        return ordered.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }
}
