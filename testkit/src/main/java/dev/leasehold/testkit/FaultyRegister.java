package dev.leasehold.testkit;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * A client of a register behind a faulty network: a write is lost, or takes effect but its answer
 * is lost, or the client is cut off permanently. In each case the caller gets a
 * {@link StoreUnavailableException} and cannot know which it was. It is as thread-safe as the
 * register behind it.
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

    /** The register executes the next write, and its answer is lost. */
    public void dropReplyOnce() {
        lostReplies.incrementAndGet();
    }

    /**
     * Runs an action once, right before the next write to a key that starts with {@code prefix}.
     */
    public void beforeNextWriteTo(String prefix, Runnable action) {
        interleaved.set(new Interleaved(prefix, action));
    }

    /**
     * Acts like a process that dies: after this many more writes nothing reaches the register.
     *
     * @param oneMoreLands whether the write at which it dies still reaches the register
     */
    public void dieAfter(int writes, boolean oneMoreLands) {
        lastWriteLands = oneMoreLands;
        writesLeft.set(writes);
    }

    /** Whether {@link #dieAfter} has taken effect. */
    public boolean isDead() {
        return writesLeft.get() < 0;
    }

    /**
     * The number of requested faults that did not occur yet. A test that ends with such faults did
     * not test what it claims.
     */
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

    private static boolean use(AtomicInteger requested) {
        return requested.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
    }
}
