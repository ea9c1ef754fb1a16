package dev.leasehold.agents;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Excludes other processes by the lock of a file, and other threads of this process by a semaphore:
 * file locks belong to the process. The system frees the lock of a process that dies.
 */
final class FileMutex implements AutoCloseable {
    private static final long PAUSE_MILLIS = 5;

    private final Semaphore permit;
    private final FileChannel channel;

    private FileMutex(Semaphore permit, FileChannel channel) {
        this.permit = permit;
        this.channel = channel;
    }

    /**
     * Takes the mutex.
     *
     * @param permit the same for all uses of the file in this process
     * @throws Busy if another has it for longer than {@code wait}
     */
    static FileMutex take(Path file, Semaphore permit, Duration wait) throws IOException {
        long deadline = System.nanoTime() + wait.toNanos();
        if (!taken(permit, wait)) {
            throw new Busy();
        }
        FileChannel channel = null;
        boolean locked = false;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            lock(channel, deadline);
            locked = true;
            return new FileMutex(permit, channel);
        } finally {
            if (!locked) {
                if (channel != null) {
                    channel.close();
                }
                permit.release();
            }
        }
    }

    /** Another has the mutex for too long. */
    static final class Busy extends IOException {
        private static final long serialVersionUID = 1L;

        Busy() {
            super("locked by another process");
        }
    }

    private static boolean taken(Semaphore permit, Duration wait) {
        try {
            return permit.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void lock(FileChannel channel, long deadline) throws IOException {
        while (!tryLock(channel)) {
            if (System.nanoTime() - deadline > 0) {
                throw new Busy();
            }
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Busy();
            }
        }
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            // Another copy of this class in the process has it.
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            permit.release();
        }
    }
}
