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
 * One user of a path at a time among all copies of this class in one process: two web applications have one each, and each
 * copy has statics of its own.
 *
 * <p>What the copies do share is the JDK's table of file locks: it covers the whole process and refuses a lock that overlaps
 * one of any other channel. So a path stands for one byte of a file that every copy can open, far behind its end, and to claim
 * the path is to lock that byte. The lock is a shared one, which no other process minds. It says nothing about the path
 * itself, which is never opened here.
 *
 * <p>Not a map in the system properties: a value that is not a string breaks whoever lists or stores them.
 */
final class LoaderClaim {
    /** For files of a simulated disk, and where the JDK has no file of its own to lock. */
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
            // The table has forgotten it all the same; only the operating system was not told.
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

    /** The FNV-1a hash, of 62 bits: two paths that share one exclude each other in vain, and nothing worse. */
    private static long position(String path) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < path.length(); i++) {
            hash = (hash ^ path.charAt(i)) * 0x100000001b3L;
        }
        return hash >>> 2;
    }
}
