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
 * One file of a log, held open from the first look to the last write: whatever becomes of its name meanwhile, a record that was
 * decided for this file is written into this file.
 *
 * <p>It is opened for appending. The system then puts each write at the end, wherever that is by then, so no byte that anybody
 * wrote can be overwritten.
 */
final class LogFile implements AutoCloseable {
    private static final byte NEW_LINE = '\n';
    private static final int MOST_MOVES = 20;
    private static final int MOST_NEIGHBOURS = 10_000;

    private final FileChannel in;
    private final FileChannel out;

    /** The number by which the file system knows the file, whatever its name. It may be given to another file later. */
    private final long number;

    private LogFile(FileChannel in, FileChannel out, long number) {
        this.in = in;
        this.out = out;
        this.number = number;
    }

    /** The log that is there now, or a new one. */
    static LogFile open(DiskTarget target) throws IOException {
        for (int i = 0; i < MOST_MOVES; i++) {
            LogFile log = find(target.file());
            if (log != null) {
                return log;
            }
            make(target);
        }
        throw new FileSystemException(
                target.file().toString(), null, "somebody moves it away as often as it is made; try again");
    }

    private static void make(DiskTarget target) throws IOException {
        try (FileChannel made = Disk.createNew(target.file(), target.creationAttributes())) {
            // From here on, a log that is not there was taken away by somebody, and not by a power cut.
            Disk.syncDirectory(target.directory());
        } catch (FileAlreadyExistsException e) {
            if (number(target.file()) == null && Disk.existsNoFollow(target.file())) {
                throw new FileSystemException(
                        target.file().toString(), null, "it is not a regular file any more; move it away");
            }
        }
    }

    /** The file that is there now, or null if there is none. */
    static @Nullable LogFile find(Path path) throws IOException {
        for (int i = 0; i < MOST_MOVES; i++) {
            Long before = number(path);
            if (before == null) {
                return null;
            }
            LogFile log = open(path, before);
            if (log != null) {
                return log;
            }
        }
        throw new FileSystemException(path.toString(), null, "somebody replaces it again and again; try again");
    }

    /**
     * Java opens no file for reading and appending at once, so it is opened twice. Null if the name led elsewhere
     * meanwhile.
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

    /** The file that has this number now, somewhere in the directory: a log that was rotated keeps it. */
    static @Nullable LogFile findByNumber(Path directory, long number) throws IOException {
        int left = MOST_NEIGHBOURS;
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

    /** Null if there is nothing, or something that is no file: opening a pipe would wait for a reader. */
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

    /** Where the next record begins. A line that somebody else left open is ended. */
    long endOfLines() throws IOException {
        long size = in.size();
        ByteBuffer last = ByteBuffer.allocate(1);
        boolean open = size > 0 && in.read(last, size - 1) == 1 && last.get(0) != NEW_LINE;
        if (open) {
            write(ByteBuffer.wrap(new byte[] {NEW_LINE}));
        }
        return open ? in.size() : size;
    }

    /** How many bytes of the record are found at this place, in one piece from its beginning. */
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

    /** Appends the record from this byte of it on. */
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

    /** Takes back what was written of a record, if that is all that lies there. */
    void takeBack(RecordBytes record, long start) throws IOException {
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
            // Both, also if closing one of them fails.
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
