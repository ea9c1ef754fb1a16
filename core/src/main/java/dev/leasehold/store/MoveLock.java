package dev.leasehold.store;

import dev.leasehold.model.StoreUnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A file that one process locks from the start of a move to its end. The system releases it if the process dies. */
final class MoveLock implements AutoCloseable {
    private static final long MAX_BYTES = 1000;

    private final Path file;
    private final FileChannel channel;

    private MoveLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** @throws StoreUnavailableException if another process has it */
    static MoveLock take(Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        boolean locked = false;
        try {
            locked = tryLock(channel) != null;
        } finally {
            if (!locked) {
                channel.close();
            }
        }
        if (!locked) {
            throw new StoreUnavailableException("another process is moving a store here: " + file
                    + " is locked; nothing was changed. Wait until it has ended, or end it, and repeat the move");
        }
        return new MoveLock(file, channel);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /**
     * The text in the file, which is empty in a new one. Read from the channel that has the lock:
     * closing another one of the same file would release it.
     */
    String text() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(channel.size(), MAX_BYTES));
        channel.read(bytes, 0);
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }

    void write(String text) throws IOException {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
        channel.force(true);
    }

    /** Removes the file, because the move is complete. */
    void remove() throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The system closes it at the end of the process.
        }
    }
}
