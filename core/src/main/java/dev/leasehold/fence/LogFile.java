package dev.leasehold.fence;

import dev.leasehold.internal.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One file of a log, open from the first read to the last write. A record that was committed for
 * this file is written into this file, even if its name changes meanwhile.
 *
 * <p>The file is opened for appending: the system puts each write at the current end, so
 * nothing is overwritten.
 */
final class LogFile implements AutoCloseable {
    private static final byte NEW_LINE = '\n';
    private static final int MAX_TRIES = 20;
    private static final int MAX_ENTRIES = 10_000;

    private final FileChannel in;
    private final FileChannel out;

    /**
     * The inode number. It identifies the file whatever its name, but may be reused after the file
     * is deleted.
     */
    private final long number;

    private LogFile(FileChannel in, FileChannel out, long number) {
        this.in = in;
        this.out = out;
        this.number = number;
    }

    /** Opens the log, or creates it. */
    static LogFile open(DiskTarget target) throws IOException {
        for (int i = 0; i < MAX_TRIES; i++) {
            LogFile log = find(target.file());
            if (log != null) {
                return log;
            }
            create(target);
        }
        throw new FileSystemException(
                target.file().toString(), null, "another program moves it away whenever it is created; try again");
    }

    private static void create(DiskTarget target) throws IOException {
        try (FileChannel made = Disk.createNew(target.file(), target.creationAttributes())) {
            // From here on, a missing log was removed by a program and not by a power cut.
            Disk.syncDirectory(target.directory());
        } catch (FileAlreadyExistsException e) {
            if (number(target.file()) == null && Disk.existsNoFollow(target.file())) {
                throw new FileSystemException(
                        target.file().toString(), null, "it is no longer a regular file; move it away");
            }
        }
    }

    /** Opens the file under this name; null if there is none. */
    static @Nullable LogFile find(Path path) throws IOException {
        for (int i = 0; i < MAX_TRIES; i++) {
            Long before = number(path);
            if (before == null) {
                return null;
            }
            LogFile log = open(path, before);
            if (log != null) {
                return log;
            }
        }
        throw new FileSystemException(path.toString(), null, "another program keeps replacing it; try again");
    }

    /**
     * Opens the file twice, because Java cannot open a file for reading and appending at once. Null
     * if the name led to another file in between.
     */
    private static @Nullable LogFile open(Path path, long number) throws IOException {
        FileChannel out = null;
        FileChannel in = null;
        boolean same = false;
        try {
            out = FileChannel.open(path, StandardOpenOption.APPEND, LinkOption.NOFOLLOW_LINKS);
            in = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            Long after = number(path);
            same = after != null && after == number;
            return same ? new LogFile(in, out, number) : null;
        } catch (NoSuchFileException e) {
            return null;
        } finally {
            if (!same) {
                close(in, out);
            }
        }
    }

    /** Opens the file with this number in the directory: a rotated log keeps its number. */
    static @Nullable LogFile findByNumber(Path directory, long number) throws IOException {
        int left = MAX_ENTRIES;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            for (Path path : all) {
                if (left-- == 0) {
                    return null;
                }
                Long found = numberOrNull(path);
                if (found != null && found == number) {
                    return open(path, number);
                }
            }
        }
        return null;
    }

    private static @Nullable Long numberOrNull(Path path) {
        try {
            return number(path);
        } catch (IOException e) {
            return null;
        }
    }

    /**
     * Null if there is no regular file. Other kinds are not opened, because opening a pipe would
     * wait for a reader.
     */
    private static @Nullable Long number(Path path) throws IOException {
        try {
            Map<String, Object> found = Files.readAttributes(path, "unix:ino,isRegularFile", LinkOption.NOFOLLOW_LINKS);
            return Boolean.TRUE.equals(found.get("isRegularFile")) ? (Long) found.get("ino") : null;
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    long number() {
        return number;
    }

    long size() throws IOException {
        return in.size();
    }

    /** Ends a line that another program left open, and returns where the next record begins. */
    long endOfLines() throws IOException {
        long size = in.size();
        ByteBuffer last = ByteBuffer.allocate(1);
        boolean open = size > 0 && in.read(last, size - 1) == 1 && last.get(0) != NEW_LINE;
        if (open) {
            write(ByteBuffer.wrap(new byte[] {NEW_LINE}));
        }
        return open ? in.size() : size;
    }

    /** How many bytes of the record, from its beginning, the file contains at this position. */
    long matching(RecordBytes record, long position) throws IOException {
        long good = 0;
        while (true) {
            ByteBuffer wanted = record.read(good);
            if (!wanted.hasRemaining()) {
                return good;
            }
            ByteBuffer found = ByteBuffer.allocate(wanted.remaining());
            while (found.hasRemaining() && in.read(found, position + good + found.position()) > 0) {}
            int mismatch = found.flip().mismatch(wanted);
            if (mismatch >= 0) {
                return good + mismatch;
            }
            good += wanted.remaining();
        }
    }

    /** Appends the record, starting at this byte of it. */
    void append(RecordBytes record, long from) throws IOException {
        long at = from;
        for (ByteBuffer next = record.read(at); next.hasRemaining(); next = record.read(at)) {
            at += next.remaining();
            write(next);
        }
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    /** Removes a partly written record, if nothing follows it in the file. */
    void undo(RecordBytes record, long start) throws IOException {
        long written = matching(record, start);
        if (written > 0 && start + written == in.size()) {
            out.truncate(start);
        }
    }

    void force() throws IOException {
        out.force(false);
    }

    @Override
    public void close() throws IOException {
        try (FileChannel first = in;
                FileChannel second = out) {
            // Closes both, even if closing one fails.
        }
    }

    private static void close(@Nullable FileChannel... channels) throws IOException {
        for (FileChannel channel : channels) {
            if (channel != null) {
                channel.close();
            }
        }
    }
}
