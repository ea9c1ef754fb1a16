package dev.leasehold.internal.disk;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Exclusive use of a path in this process. File locks belong to the whole process, and closing
 * <em>any</em> channel of a file drops the locks that other channels of this process hold on it. So
 * this mutex must be taken before a channel of a lockable file is opened, and released after the
 * channel is closed.
 *
 * <p>It is a semaphore and not a reentrant lock, because a thread that opened a file twice would
 * drop its own lock at the first close.
 */
final class PathMutex {
    private static final Map<Path, PathMutex> IN_USE = new HashMap<>();

    private final Path path;
    private final Semaphore permit = new Semaphore(1, true);
    private int users;

    /** Belongs to the owner of the permit. */
    private @Nullable LoaderClaim claim;

    private PathMutex(Path path) {
        this.path = path;
    }

    /** Null if another thread kept it longer than {@code wait}. */
    static @Nullable PathMutex take(Path path, Duration wait) {
        long deadline = System.nanoTime() + wait.toNanos();
        PathMutex mutex;
        synchronized (IN_USE) {
            mutex = IN_USE.computeIfAbsent(path, PathMutex::new);
            mutex.users++;
        }
        boolean permitted = false;
        boolean taken = false;
        try {
            permitted = mutex.permit.tryAcquire() || mutex.permit.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS);
            if (permitted) {
                mutex.claim = mutex.claim(deadline);
                taken = mutex.claim != null;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (permitted && !taken) {
                mutex.permit.release();
            }
            if (!taken) {
                mutex.forget();
            }
        }
        return taken ? mutex : null;
    }

    /** Excludes other copies of this class, which have their own semaphores. */
    private @Nullable LoaderClaim claim(long deadline) {
        Poll poll = new Poll(deadline);
        LoaderClaim taken = LoaderClaim.tryTake(path);
        while (taken == null && poll.pause()) {
            taken = LoaderClaim.tryTake(path);
        }
        return taken;
    }

    void release() {
        if (claim != null) {
            claim.release();
            claim = null;
        }
        permit.release();
        forget();
    }

    private void forget() {
        synchronized (IN_USE) {
            users--;
            if (users == 0) {
                IN_USE.remove(path);
            }
        }
    }
}
