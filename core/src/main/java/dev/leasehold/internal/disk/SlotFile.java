package dev.leasehold.internal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;

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
 * <p>Layout: at 0 who has it open, for the message to those who wait; at 512 what is done; from 4096 the slots.
 */
public final class SlotFile implements AutoCloseable {
    private static final int OWNER_BYTES = 256;
    private static final int DONE_START = 512;
    private static final int DONE_BYTES = 64;
    private static final int SLOTS_START = 4096;
    private static final int HEADER_BYTES = 64;
    private static final long FIRST_POLL_NANOS = 100_000;
    private static final long LAST_POLL_NANOS = 10_000_000;

    /** How large a text a file can hold; fixed for a kind of file, since it decides where the second slot is. */
    public enum Size {
        SMALL(8 * 1024),
        LARGE(128 * 1024);

        private final int slotBytes;

        Size(int slotBytes) {
            this.slotBytes = slotBytes;
        }

        int maxText() {
            return slotBytes - HEADER_BYTES;
        }

        long position(long sequence) {
            return SLOTS_START + (sequence % 2) * slotBytes;
        }
    }

    private final Path path;
    private final Size size;
    private final FileChannel channel;
    private final PathMutex mutex;
    private long sequence;
    private String text = "";

    private SlotFile(Path path, Size size, FileChannel channel, PathMutex mutex) {
        this.path = path;
        this.size = size;
        this.channel = channel;
        this.mutex = mutex;
    }

    /** Somebody else has the file open and did not let go in time. The lock of a stopped writer is never broken. */
    public static final class LockedException extends IOException {
        private static final long serialVersionUID = 1L;
        private final boolean byThisProcess;

        LockedException(String message, boolean byThisProcess) {
            super(message);
            this.byThisProcess = byThisProcess;
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
            try (FileChannel channel = FileChannel.open(
                    staging, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes)) {
                if (size == Size.SMALL) {
                    // All blocks are taken now, so that a full disk cannot keep a lease from being renewed or released.
                    writeFully(channel, ByteBuffer.allocate((int) size.position(1) + size.slotBytes), 0);
                }
                writeFully(channel, encode(0, text, size), size.position(0));
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
    public static SlotFile open(Path path, Size size, String purpose, Duration wait) throws IOException {
        long start = System.nanoTime();
        PathMutex mutex = PathMutex.take(path, wait);
        if (mutex == null) {
            refuseIfInterrupted();
            throw new LockedException(
                    path + " is in use by another thread of this process for longer than " + wait.toMillis()
                            + " ms; nothing was changed, try again",
                    true);
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            lock(channel, path, start + wait.toNanos());
            SlotFile file = new SlotFile(path, size, channel, mutex);
            file.load();
            file.writeOwner(purpose);
            return file;
        } catch (IOException | RuntimeException | Error e) {
            // Closing it would drop the lock that another class loader of this process holds on the same file.
            boolean leaveOpen = e instanceof LockedException locked && locked.byThisProcess;
            try (FileChannel closed = leaveOpen ? null : channel) {
                throw e;
            } finally {
                mutex.release();
            }
        }
    }

    /**
     * Reads the text without the lock, for somebody who may only look: a slot that is being written fails its checksum, and
     * the one before it is still true.
     */
    public static String peek(Path path, Size size, Duration wait) throws IOException {
        PathMutex mutex = PathMutex.take(path, wait);
        if (mutex == null) {
            refuseIfInterrupted();
            throw new LockedException(path + " is in use by another thread of this process", true);
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            SlotFile file = new SlotFile(path, size, channel, mutex);
            file.load();
            return file.text;
        } finally {
            mutex.release();
        }
    }

    public String text() {
        return text;
    }

    /** Rises by one with every {@link #replace}. */
    public long sequence() {
        return sequence;
    }

    /** What the file system's clock said when this file was opened: hosts that share the directory share this clock. */
    public Instant openedAt() throws IOException {
        return Files.getLastModifiedTime(path).toInstant();
    }

    /** Replaces the text durably: the new one or the old one survives a crash at any instruction, whole. */
    public void replace(String newText) throws IOException {
        keepName();
        long next = sequence + 1;
        writeFully(channel, encode(next, newText, size), size.position(next));
        channel.force(false);
        sequence = next;
        text = newText;
        noteDone();
    }

    /**
     * Makes durable what was read: whoever wrote it may have been killed before it was. Needed before acting on it without
     * replacing it.
     */
    public void sync() throws IOException {
        keepName();
        channel.force(false);
    }

    /** Whoever made the file may have died before its name was durable; whoever replaced it since has seen to that. */
    private void keepName() throws IOException {
        if (sequence == 0) {
            Disk.syncDirectory(directoryOf(path));
        }
    }

    @Override
    public void close() throws IOException {
        try {
            // Closing the channel is what lets go of the lock.
            channel.close();
        } finally {
            mutex.release();
        }
    }

    private static void lock(FileChannel channel, Path path, long deadline) throws IOException {
        long pause = FIRST_POLL_NANOS;
        boolean byThisProcess = false;
        while (true) {
            try {
                if (channel.tryLock() != null) {
                    return;
                }
                byThisProcess = false;
            } catch (OverlappingFileLockException e) {
                // Another class loader of this process has it; to us that is a busy file like any other.
                byThisProcess = true;
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new LockedException(
                        path + " is held by " + readOwner(channel)
                                + "; nothing was changed. If that process is stopped, resume it or end it, then try again",
                        byThisProcess);
            }
            refuseIfInterrupted();
            LockSupport.parkNanos(pause);
            pause = Math.min(LAST_POLL_NANOS, pause * 2);
        }
    }

    /** Waiting with the flag set would not wait at all. The flag stays, as with every interruptible channel. */
    private static void refuseIfInterrupted() throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new ClosedByInterruptException();
        }
    }

    private void load() throws IOException {
        // Before the slots: who reads without the lock must not miss what is done meanwhile.
        long done = readDone();
        boolean first = loadSlot(0);
        boolean second = loadSlot(1);
        if (!first && !second) {
            throw new CorruptException(path + " is damaged: neither of its two copies is whole. Nothing was changed;"
                    + " restore it from a backup, or ask before you remove it");
        }
        if (sequence < done) {
            throw new CorruptException(path + " is damaged: its latest copy, number " + done
                    + ", is not whole, and the one before it is not true any more. Nothing was changed; restore it from a"
                    + " backup, or ask before you remove it");
        }
    }

    /** What is written is durable already; all that a failure here costs is that later damage may go unnoticed. */
    private void noteDone() {
        try {
            String note = "done " + sequence + " " + Long.toHexString(checksum(sequence, new byte[0]));
            writeFully(channel, ByteBuffer.wrap(padded(note, DONE_BYTES)), DONE_START);
        } catch (IOException e) {
            System.getLogger("dev.leasehold").log(System.Logger.Level.DEBUG, "a write could not be noted as done", e);
        }
    }

    /** The number of the latest slot that is known to have been durable; -1 if there is no note, or a damaged one. */
    private long readDone() throws IOException {
        String[] parts = words(DONE_START, DONE_BYTES);
        if (parts.length != 3 || !parts[0].equals("done")) {
            return -1;
        }
        try {
            long done = Long.parseLong(parts[1]);
            return checksum(done, new byte[0]) == Long.parseLong(parts[2], 16) ? done : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private String[] words(long position, int length) throws IOException {
        return StandardCharsets.US_ASCII
                .decode(read(position, length))
                .toString()
                .trim()
                .split(" ", 5);
    }

    private boolean loadSlot(int slot) throws IOException {
        String[] parts = words(size.position(slot), HEADER_BYTES);
        if (parts.length != 4 || !parts[0].equals("slot")) {
            return false;
        }
        try {
            long slotSequence = Long.parseLong(parts[1]);
            int length = Integer.parseInt(parts[2]);
            if (slotSequence % 2 != slot || length < 0 || length > size.maxText()) {
                return false;
            }
            byte[] body = read(size.position(slot) + HEADER_BYTES, length).array();
            if (checksum(slotSequence, body) != Long.parseLong(parts[3], 16)) {
                return false;
            }
            if (slotSequence >= sequence) {
                sequence = slotSequence;
                text = new String(body, StandardCharsets.UTF_8);
            }
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private ByteBuffer read(long position, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining() && channel.read(buffer, position + buffer.position()) > 0) {}
        return buffer.rewind();
    }

    private static ByteBuffer encode(long sequence, String text, Size size) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        if (body.length > size.maxText()) {
            throw new IOException("the record is too large: " + body.length + " bytes, at most " + size.maxText());
        }
        String header = "slot " + sequence + " " + body.length + " " + Long.toHexString(checksum(sequence, body));
        ByteBuffer buffer = ByteBuffer.allocate(HEADER_BYTES + body.length);
        buffer.put(padded(header, HEADER_BYTES)).put(body).flip();
        return buffer;
    }

    private static long checksum(long sequence, byte[] body) {
        // The older polynomial: its class is native, the newer one builds tables at first use.
        CRC32 crc = new CRC32();
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(sequence).flip());
        crc.update(body);
        return crc.getValue();
    }

    private void writeOwner(String purpose) throws IOException {
        writeFully(channel, ByteBuffer.wrap(padded(Self.NAME + purpose, OWNER_BYTES)), 0);
    }

    private static String readOwner(FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(OWNER_BYTES);
        channel.read(buffer, 0);
        String owner =
                StandardCharsets.US_ASCII.decode(buffer.flip()).toString().trim();
        return owner.isEmpty() ? "another process" : owner;
    }

    private static byte[] padded(String line, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) ' ');
        byte[] content = line.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(content, 0, bytes, 0, Math.min(content.length, length - 1));
        bytes[length - 1] = '\n';
        return bytes;
    }

    private static void writeFully(FileChannel channel, ByteBuffer buffer, long position) throws IOException {
        long at = position;
        while (buffer.hasRemaining()) {
            at += channel.write(buffer, at);
        }
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
