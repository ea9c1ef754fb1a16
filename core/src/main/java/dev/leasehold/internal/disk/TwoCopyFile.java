package dev.leasehold.internal.disk;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One small text, kept in a file that is locked while it is open, and replaced in place by one fdatasync.
 *
 * <p>The file has two slots, written in turn: a write that a crash cut short fails its checksum, and the other slot still
 * holds the text before it. The file is therefore never renamed or deleted, which is what makes it safe to lock <em>and</em>
 * a commit possible only through the very channel that holds the lock. It is born whole (linked into place), so a file
 * without any valid slot is damaged, never new.
 *
 * <p>A slot that was finished and is damaged later must not be taken for one that was cut short: the text before it is not
 * true any more, and could name a lower token. So each write that is durable is noted as done, and a file whose latest done
 * slot cannot be read is damaged as a whole. The note itself is not synced: it follows the slot, never the other way round.
 *
 * <p>After a sync that failed, a second one may answer yes for a page that never reached the disk. So a copy is believed to be
 * durable only once it is noted as done; whoever opens a file whose latest copy is not, writes that copy once more, syncs it
 * and notes it. What {@link #open} returns is therefore durable.
 */
public final class TwoCopyFile implements AutoCloseable {
    /** Channels that cannot be closed yet, and must not be collected either. */
    private static final Queue<FileChannel> LEFT_OPEN = new ConcurrentLinkedQueue<>();

    /** How large a text a file can hold; fixed for a kind of file, since it decides where the second slot is. */
    public enum Size {
        SMALL(8 * 1024),
        LARGE(128 * 1024);

        private final int slotBytes;

        Size(int slotBytes) {
            this.slotBytes = slotBytes;
        }

        int slotBytes() {
            return slotBytes;
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
        // Before the slots: who reads without the lock must not miss what is done meanwhile.
        this.done = pages.done();
        this.latest = load();
    }

    /** Somebody else has the file open and did not let go in time. The lock of a stopped writer is never broken. */
    public static final class LockedException extends IOException {
        private static final long serialVersionUID = 1L;

        LockedException(String message) {
            super(message);
        }
    }

    /** Somebody else wrote although we have the lock. Nothing was changed; whoever decided on what it read must read again. */
    public static final class LostLockException extends IOException {
        private static final long serialVersionUID = 1L;

        LostLockException(Path path) {
            super("the lock of " + path + " does not hold: another process wrote it meanwhile. Nothing was changed;"
                    + " use a file system whose locks work");
        }
    }

    /** What is to be done to a new file before others can see it. */
    @FunctionalInterface
    public interface Preparation {
        Preparation NONE = staging -> {};

        void prepare(Path staging) throws IOException;
    }

    /** No slot passes its checksum, or only one that is not true any more. */
    public static final class CorruptException extends IOException {
        private static final long serialVersionUID = 1L;

        CorruptException(String message) {
            super(message);
        }
    }

    /**
     * Makes the file if it is not there. Either way it exists afterwards, durably and whole.
     *
     * @param staging a name in the same directory that nobody else uses
     * @return false if somebody else made it first
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
     * Opens and locks the file, against other processes and other threads alike.
     *
     * @param purpose what the owner is doing, for the message others get
     * @throws java.nio.file.NoSuchFileException if it was never made
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
        } finally {
            if (!opened) {
                close(LEFT_OPEN.contains(channel) ? null : channel, lock, mutex);
            }
        }
    }

    private static PathMutex take(Path path, Duration wait) throws IOException {
        PathMutex mutex = PathMutex.take(path, wait);
        if (mutex == null) {
            refuseIfInterrupted();
            throw new LockedException(path + " is in use by another thread of this process for longer than "
                    + wait.toMillis() + " ms; nothing was changed, try again");
        }
        return mutex;
    }

    /**
     * Reads the text without the lock, for somebody who may only look: a slot that is being written fails its checksum, and
     * the one before it is still true.
     */
    public static String peek(Path path, Size size, Duration wait) throws IOException {
        PathMutex mutex = take(path, wait);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            return new TwoCopyFile(path, size, channel, mutex, null).text();
        } finally {
            mutex.release();
        }
    }

    public String text() {
        return latest.text();
    }

    /** Rises by one with every {@link #replace}. */
    public long sequence() {
        return latest.sequence();
    }

    /** What the file system's clock said when this file was opened: hosts that share the directory share this clock. */
    public Instant openedAt() throws IOException {
        return Files.getLastModifiedTime(path).toInstant();
    }

    /**
     * Replaces the text durably: the new one or the old one survives a crash at any instruction, whole.
     *
     * @throws LostLockException if somebody wrote since it was read, as happens where the lock of a paused client vanishes
     */
    public void replace(String newText) throws IOException {
        keepName();
        requireUnchanged();
        CopyPages.Copy next = new CopyPages.Copy(latest.sequence() + 1, newText);
        write(next);
        latest = next;
    }

    /**
     * For whoever decided on what it read, at the last moment before something follows from it elsewhere.
     *
     * @throws LostLockException if somebody wrote since
     */
    public void requireUnchanged() throws IOException {
        if (!pages.areUnchanged()) {
            throw new LostLockException(path);
        }
    }

    /** Makes durable what was read, down to the file's name. Needed before acting on it without replacing it. */
    public void sync() throws IOException {
        keepName();
    }

    private void write(CopyPages.Copy copy) throws IOException {
        pages.write(copy);
        channel.force(false);
        pages.noteDone(copy.sequence());
    }

    /**
     * Whoever wrote the latest copy may have been killed before it was durable, or the sync may have failed. Written anew, not
     * only synced: after a failure the kernel may call the page clean. The copy before it stays whole meanwhile.
     */
    private void makeDurable() throws IOException {
        if (latest.sequence() > 0 && done < latest.sequence()) {
            write(latest);
        }
    }

    /** Whoever made the file may have died before its name was durable; whoever replaced it since has seen to that. */
    private void keepName() throws IOException {
        if (latest.sequence() == 0) {
            Disk.syncDirectory(directoryOf(path));
        }
    }

    /** Once: the second time, somebody else may be inside. */
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

    /** The JDK leaves a channel open whose lock it cannot give back, so this comes first; closing then tries it once more. */
    private static void unlock(@Nullable FileLock lock) {
        try {
            if (lock != null) {
                lock.release();
            }
        } catch (IOException e) {
            // Closing complains if it does not succeed either.
        }
    }

    private static FileLock lock(FileChannel channel, Path path, long deadline) throws IOException {
        Poll poll = new Poll(deadline);
        FileLock lock = tryLock(channel);
        while (lock == null) {
            if (!poll.pause()) {
                refuseIfInterrupted();
                throw new LockedException(path + " is held by " + CopyPages.readOwner(channel)
                        + "; nothing was changed. If that process is stopped, resume it or end it, then try again");
            }
            lock = tryLock(channel);
        }
        LEFT_OPEN.remove(channel);
        return lock;
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // A copy of an older version, in another class loader, has it. Closing our channel would drop its lock.
            if (!LEFT_OPEN.contains(channel)) {
                LEFT_OPEN.add(channel);
            }
            return null;
        }
    }

    /** Waiting with the flag set would not wait at all. The flag stays, as with every interruptible channel. */
    private static void refuseIfInterrupted() throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new ClosedByInterruptException();
        }
    }

    private CopyPages.Copy load() throws IOException {
        CopyPages.Copy found = pages.latest();
        if (found == null) {
            throw new CorruptException(path + " is damaged: neither of its two copies is whole. Nothing was changed;"
                    + " restore it from a backup, or ask before you remove it");
        }
        if (found.sequence() < done) {
            throw new CorruptException(path + " is damaged: its latest copy, number " + done
                    + ", is not whole, and the one before it is not true any more. Nothing was changed; restore it from a"
                    + " backup, or ask before you remove it");
        }
        return found;
    }

    private static Path directoryOf(Path path) {
        Path parent = path.getParent();
        return parent == null ? Path.of("") : parent;
    }

    /** Loaded only when a file is opened. */
    private static final class Self {
        static final String NAME = "process " + ProcessHandle.current().pid() + " on " + HostName.get() + ", ";
    }
}
