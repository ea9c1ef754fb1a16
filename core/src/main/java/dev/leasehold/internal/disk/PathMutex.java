package dev.leasehold.internal.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
        LoaderClaim taken = LoaderClaim.tryTake(path);
        if (taken == null) {
            Poll poll = new Poll(deadline);
            while (taken == null && poll.pause()) {
                taken = LoaderClaim.tryTake(path);
            }
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

    /**
     * Exclusive use of a path among all copies of this class in the process. Several class loaders, as
     * in two web applications, each have their own copy with its own static fields.
     *
     * <p>The copies share the JDK's table of file locks, which covers the whole process and refuses a
     * lock that overlaps one of another channel. So each path is mapped to one byte, far behind the end
     * of a file that every copy can open, and claiming the path means locking that byte. The lock is a
     * shared one, so other processes are not affected. The path itself is never opened here.
     *
     * <p>A map in the system properties would not do: a value that is not a string breaks programs that
     * list or store them.
     */
    private static final class LoaderClaim {
        /** For files of a simulated disk, and for a JDK without the file to lock. */
        private static final LoaderClaim NOT_NEEDED = new LoaderClaim(null);

        private static @Nullable FileChannel table;

        private final @Nullable FileLock lock;

        private LoaderClaim(@Nullable FileLock lock) {
            this.lock = lock;
        }

        /** Null if another copy has it. */
        static @Nullable LoaderClaim tryTake(Path path) {
            if (path.getFileSystem() != FileSystems.getDefault()) {
                return NOT_NEEDED;
            }
            try {
                return new LoaderClaim(table().tryLock(position(path.toString()), 1, true));
            } catch (OverlappingFileLockException e) {
                return null;
            } catch (IOException e) {
                return NOT_NEEDED;
            }
        }

        void release() {
            try {
                if (lock != null) {
                    lock.release();
                }
            } catch (IOException e) {
                // The JDK removed the lock from its table anyway.
            }
        }

        /** Opened once and never closed. */
        private static synchronized FileChannel table() throws IOException {
            FileChannel opened = table;
            if (opened == null) {
                Path file = Path.of(System.getProperty("java.home", ""), "lib", "modules");
                opened = FileChannel.open(file, StandardOpenOption.READ);
                table = opened;
            }
            return opened;
        }

        /**
         * The FNV-1a hash, cut to 62 bits. A collision only makes two paths exclude each other
         * needlessly.
         */
        private static long position(String path) {
            long hash = 0xcbf29ce484222325L;
            for (int i = 0; i < path.length(); i++) {
                hash = (hash ^ path.charAt(i)) * 0x100000001b3L;
            }
            return hash >>> 2;
        }
    }
}
