package dev.leasehold.guard;

import dev.leasehold.internal.disk.Disk;
import dev.leasehold.spi.Ids;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A record on its way into a log: in memory if it is short, else in a staged file. It ends with the end of a line. */
final class StagedRecord implements Staged {
    private static final byte NEW_LINE = '\n';

    private final byte @Nullable [] text;
    private final @Nullable StagedFile file;
    private final String digest;

    private StagedRecord(byte @Nullable [] text, @Nullable StagedFile file, String digest) {
        this.text = text;
        this.file = file;
        this.digest = digest;
    }

    static StagedRecord read(DiskTarget target, Ids ids, Content content, boolean withDigest) throws IOException {
        try (Spool spool = new Spool(target, ids, withDigest)) {
            content.writeTo(spool);
            return spool.finish();
        }
    }

    @Override
    public String digest() {
        return digest;
    }

    @Override
    public String decide(FenceStep step, boolean once) throws IOException {
        DiskTarget target = step.target();
        if (file != null) {
            file.requirePresent();
        }
        try (FileChannel log = open(target)) {
            long number = LogTail.number(target.file());
            LogTail before = LogTail.of(step, number, log.size());
            long end = endOfLines(log);
            if (text != null && before != null && before.canTake(text.length, end)) {
                return before.with(text).format();
            }
            // The fence forgets what came before, so the log must hold it.
            log.force(false);
            if (once && file != null) {
                Disk.syncDirectory(target.directory());
            }
            return new LogTail(number, end, text, file == null ? null : file.name()).format();
        }
    }

    private static FileChannel open(DiskTarget target) throws IOException {
        try {
            return FileChannel.open(target.file(), StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (NoSuchFileException e) {
            FileChannel made = FileChannel.open(
                    target.file(),
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                    target.creationAttributes());
            // From here on, a log that is not there was taken away by somebody, and not by a power cut.
            Disk.syncDirectory(target.directory());
            return made;
        }
    }

    /** Where the next record begins. A line that somebody else left open is ended. */
    private static long endOfLines(FileChannel log) throws IOException {
        long size = log.size();
        ByteBuffer last = ByteBuffer.allocate(1);
        boolean open = size > 0 && log.read(last, size - 1) == 1 && last.get(0) != NEW_LINE;
        if (open) {
            LogTail.writeFully(log, ByteBuffer.wrap(new byte[] {NEW_LINE}), size);
        }
        return open ? size + 1 : size;
    }

    @Override
    public void discard() {
        if (file != null) {
            file.discard();
        }
    }

    /** Keeps what is short in memory, and opens a file when it becomes long. */
    private static final class Spool extends OutputStream {
        private final DiskTarget target;
        private final Ids ids;
        private final ByteArrayOutputStream memory = new ByteArrayOutputStream();
        private final @Nullable MessageDigest sha;
        private StagedFile.@Nullable Writing file;
        private byte last;

        Spool(DiskTarget target, Ids ids, boolean withDigest) {
            this.target = target;
            this.ids = ids;
            this.sha = withDigest ? StagedFile.sha256() : null;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return;
            }
            if (file == null && memory.size() + length > LogTail.MAX_TEXT) {
                file = StagedFile.Writing.begin(target, ids);
                memory.writeTo(file.out());
            }
            (file == null ? memory : file.out()).write(bytes, offset, length);
            if (sha != null) {
                sha.update(bytes, offset, length);
            }
            last = bytes[offset + length - 1];
        }

        StagedRecord finish() throws IOException {
            if (memory.size() == 0 && file == null) {
                throw new IllegalArgumentException("the record is empty: nothing was appended");
            }
            if (last != NEW_LINE) {
                write(NEW_LINE);
            }
            String digest = sha == null ? "" : HexFormat.of().formatHex(sha.digest());
            return file == null
                    ? new StagedRecord(memory.toByteArray(), null, digest)
                    : new StagedRecord(null, file.finish(digest), digest);
        }

        @Override
        public void close() throws IOException {
            if (file != null) {
                file.close();
            }
        }
    }
}
