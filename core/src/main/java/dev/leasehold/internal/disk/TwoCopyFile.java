package dev.leasehold.internal.disk;

import dev.leasehold.internal.HostName;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A small text in a file that is locked while it is open and replaced in place with one fdatasync.
 *
 * <p>The file has two copies, written in turn. A write that a crash interrupts fails its checksum,
 * and the other copy still contains the text before it. So the file need not be renamed or deleted,
 * which makes it safe to lock, and only the channel that holds the lock can commit. The file is
 * linked into place complete, so a file without a valid copy is damaged, never new.
 *
 * <p>A complete copy that is damaged later must not be mistaken for an interrupted write, because
 * the older copy is out of date and could contain a lower token. So each durable write is marked as
 * done, and a file whose latest done copy cannot be read is damaged. The mark need not be synced,
 * because it is written after its copy is durable.
 *
 * <p>After a sync that failed, a second sync may succeed for a page that never reached the disk. So
 * a copy counts as durable only when it is marked as done. {@link #open} writes and syncs the
 * latest copy again if it is not, so the text that it returns is durable.
 */
public final class TwoCopyFile implements AutoCloseable {
    /** Channels that cannot be closed yet and must not be garbage-collected. */
    private static final Queue<FileChannel> LEFT_OPEN = new ConcurrentLinkedQueue<>();

    /**
     * The maximum size of the text. It is fixed for each kind of file, because it determines where
     * the second copy is.
     */
    public enum Size {
        SMALL(8 * 1024),
        LARGE(128 * 1024);

        private final int copyBytes;

        Size(int copyBytes) {
            this.copyBytes = copyBytes;
        }

        int copyBytes() {
            return copyBytes;
        }
    }

    private final Path path;
    private final FileChannel channel;
    private final PathMutex mutex;
    private final @Nullable FileLock lock;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CopyPages pages;
    private final long done;
    private CopyPages.Copy latest;

    private TwoCopyFile(Path path, Size size, FileChannel channel, PathMutex mutex, @Nullable FileLock lock)
            throws IOException {
        this.path = path;
        this.channel = channel;
        this.mutex = mutex;
        this.lock = lock;
        this.pages = new CopyPages(channel, size);
        // Read before the copies: a reader without the lock must not miss a write that completes
        // meanwhile.
        this.done = pages.done();
        this.latest = load();
    }

    /**
     * Another process or thread has the file locked. The lock of a stopped process is never broken.
     */
    public static final class LockedException extends IOException {
        private static final long serialVersionUID = 1L;

        LockedException(String message) {
            super(message);
        }
    }

    /**
     * Another process wrote in spite of our lock. Nothing was changed; the caller must read again
     * before it decides.
     */
    public static final class LostLockException extends IOException {
        private static final long serialVersionUID = 1L;

        LostLockException(Path path) {
            super("the lock of " + path + " does not work: another process wrote it meanwhile. Nothing was changed;"
                    + " use a file system whose locks work");
        }
    }

    /** Prepares a new file before other processes can see it. */
    @FunctionalInterface
    public interface Preparation {
        Preparation NONE = staging -> {};

        void prepare(Path staging) throws IOException;
    }

    /** No copy is valid, or only one that is out of date. */
    public static final class CorruptException extends IOException {
        private static final long serialVersionUID = 1L;

        CorruptException(String message) {
            super(message);
        }
    }

    /**
     * Creates the file if it does not exist. Afterwards it exists in either case, complete and
     * durable.
     *
     * @param staging an unused name in the same directory
     * @return false if another process created it first
     */
    public static boolean create(
            Path path, Size size, String text, Path staging, Preparation preparation, FileAttribute<?>... attributes)
            throws IOException {
        try {
            try (FileChannel channel = Disk.createNew(staging, attributes)) {
                CopyPages.format(channel, size, text);
                channel.force(true);
            }
            preparation.prepare(staging);
            Files.createLink(path, staging);
        } catch (FileAlreadyExistsException e) {
            return false;
        } finally {
            Files.deleteIfExists(staging);
        }
        Disk.syncDirectory(directoryOf(path));
        return true;
    }

    /**
     * Opens and locks the file, against other processes and other threads.
     *
     * @param purpose what the caller is doing, for messages to processes that wait
     * @throws java.nio.file.NoSuchFileException if it does not exist
     */
    public static TwoCopyFile open(Path path, Size size, String purpose, Duration wait) throws IOException {
        long start = System.nanoTime();
        PathMutex mutex = take(path, wait);
        FileChannel channel = null;
        FileLock lock = null;
        boolean opened = false;
        try {
            channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            lock = lock(channel, path, start + wait.toNanos());
            TwoCopyFile file = new TwoCopyFile(path, size, channel, mutex, lock);
            file.makeDurable();
            file.pages.writeOwner(Self.NAME + purpose);
            opened = true;
            return file;
        } catch (IOException e) {
            requireRegular(path);
            throw e;
        } finally {
            if (!opened) {
                close(LEFT_OPEN.contains(channel) ? null : channel, lock, mutex);
            }
        }
    }

    /** A directory is no record. Opening a pipe only for reading would wait for its writer for ever. */
    private static void requireRegular(Path path) throws IOException {
        if (!Files.readAttributes(path, BasicFileAttributes.class).isRegularFile()) {
            throw new CorruptException(
                    path + " is damaged: it is not a regular file. Nothing was changed. Look at what is"
                            + " there, move it away, and restore the file from a backup");
        }
    }

    private static PathMutex take(Path path, Duration wait) throws IOException {
        PathMutex mutex = PathMutex.take(path, wait);
        if (mutex == null) {
            refuseIfInterrupted();
            throw new LockedException(path + " has been in use by another thread of this process for more than "
                    + wait.toMillis() + " ms; nothing was changed, try again");
        }
        return mutex;
    }

    /** The latest copy of a file, read without the lock. */
    public record Glance(String text, long sequence) {}

    /**
     * Reads without the lock. A copy that is being written fails its checksum, and the other copy is
     * still valid.
     */
    public static Glance glance(Path path, Size size, Duration wait) throws IOException {
        requireRegular(path);
        PathMutex mutex = take(path, wait);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            TwoCopyFile file = new TwoCopyFile(path, size, channel, mutex, null);
            return new Glance(file.text(), file.sequence());
        } finally {
            mutex.release();
        }
    }

    /** Reads the text without the lock. */
    public static String peek(Path path, Size size, Duration wait) throws IOException {
        return glance(path, size, wait).text();
    }

    public String text() {
        return latest.text();
    }

    /** Increases by one with every {@link #replace}. */
    public long sequence() {
        return latest.sequence();
    }

    /**
     * The time of the file system's clock when this file was opened. Hosts that share the directory
     * share this clock.
     */
    public Instant openedAt() throws IOException {
        return Files.getLastModifiedTime(path).toInstant();
    }

    /**
     * Replaces the text durably. After a crash at any point, the file contains either the new or
     * the old text.
     *
     * @throws LostLockException if another process has written since the text was read, because the
     *     file system dropped our lock
     */
    public void replace(String newText) throws IOException {
        keepName();
        requireUnchanged();
        CopyPages.Copy next = new CopyPages.Copy(latest.sequence() + 1, newText);
        write(next);
        latest = next;
    }

    /**
     * Checks once more, before the caller acts elsewhere on the text, that it is still current.
     *
     * @throws LostLockException if another process has written since the text was read
     */
    public void requireUnchanged() throws IOException {
        if (!pages.areUnchanged()) {
            throw new LostLockException(path);
        }
    }

    /**
     * Makes the text and the file's name durable. Needed before a caller acts on the text without
     * replacing it.
     */
    public void sync() throws IOException {
        keepName();
    }

    private void write(CopyPages.Copy copy) throws IOException {
        pages.write(copy);
        channel.force(false);
        pages.noteDone(copy.sequence());
    }

    /**
     * The process that wrote the latest copy may have been killed before the sync, or the sync may
     * have failed. The copy is written again, not only synced, because the kernel may mark a page
     * as clean after a failed sync. The other copy stays valid meanwhile.
     */
    private void makeDurable() throws IOException {
        if (latest.sequence() > 0 && done < latest.sequence()) {
            write(latest);
        }
    }

    /**
     * The process that created the file may have died before it synced the name. The first
     * replacement syncs it.
     */
    private void keepName() throws IOException {
        if (latest.sequence() == 0) {
            Disk.syncDirectory(directoryOf(path));
        }
    }

    /** Only the first call has an effect: later, another thread may have the file open. */
    @Override
    public void close() throws IOException {
        if (closed.compareAndSet(false, true)) {
            close(channel, lock, mutex);
        }
    }

    private static void close(@Nullable FileChannel channel, @Nullable FileLock lock, PathMutex mutex)
            throws IOException {
        try (FileChannel closed = channel) {
            unlock(lock);
        } finally {
            mutex.release();
        }
    }

    /**
     * Called before closing, because the JDK leaves a channel open if it cannot release the lock.
     * Closing tries again.
     */
    private static void unlock(@Nullable FileLock lock) {
        try {
            if (lock != null) {
                lock.release();
            }
        } catch (IOException e) {
            // Closing throws if it fails as well.
        }
    }

    private static FileLock lock(FileChannel channel, Path path, long deadline) throws IOException {
        FileLock lock = tryLock(channel);
        if (lock == null) {
            lock = waitForLock(channel, path, deadline);
        }
        LEFT_OPEN.remove(channel);
        return lock;
    }

    private static FileLock waitForLock(FileChannel channel, Path path, long deadline) throws IOException {
        Poll poll = new Poll(deadline);
        while (poll.pause()) {
            FileLock lock = tryLock(channel);
            if (lock != null) {
                return lock;
            }
        }
        refuseIfInterrupted();
        throw new LockedException(path + " is held by " + CopyPages.readOwner(channel)
                + "; nothing was changed. If that process is stopped, resume it or end it, then try again");
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // An older version in another class loader has the lock. Closing our channel would drop
            // it.
            if (!LEFT_OPEN.contains(channel)) {
                LEFT_OPEN.add(channel);
            }
            return null;
        }
    }

    /**
     * An interrupted thread cannot wait. The flag stays set, as with every interruptible channel.
     */
    private static void refuseIfInterrupted() throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new ClosedByInterruptException();
        }
    }

    private CopyPages.Copy load() throws IOException {
        CopyPages.Copy found = pages.latest();
        if (found == null) {
            throw new CorruptException(
                    path + " is damaged: neither of its two copies is valid. Nothing was changed."
                            + " Do not delete it: the token or the work that it records would be forgotten. Restore it from a backup");
        }
        if (found.sequence() < done) {
            throw new CorruptException(path + " is damaged: its latest copy, number " + done
                    + ", is not valid, and the other copy is out of date. Nothing was changed. Do not delete it: the token"
                    + " or the work that it records would be forgotten. Restore it from a backup");
        }
        return found;
    }

    private static Path directoryOf(Path path) {
        Path parent = path.getParent();
        return parent == null ? Path.of("") : parent;
    }

    /** Initialized only when a file is opened. */
    private static final class Self {
        static final String NAME = "process " + ProcessHandle.current().pid() + " on " + HostName.get() + ", ";
    }
}
