package dev.leasehold.internal.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Exclusive use of a path among all copies of this class in a process. Several class loaders, as in
 * two web applications, each have their own copy with its own static fields.
 *
 * <p>The copies share the JDK's table of file locks, which covers the whole process and refuses a
 * lock that overlaps one of another channel. So each path is mapped to one byte, far behind the end
 * of a file that every copy can open, and claiming the path means locking that byte. The lock is a
 * shared one, so other processes are not affected. The path itself is never opened here.
 *
 * <p>A map in the system properties would not do: a value that is not a string breaks programs that
 * list or store them.
 */
final class LoaderClaim {
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
