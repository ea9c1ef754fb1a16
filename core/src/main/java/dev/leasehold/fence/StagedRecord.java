package dev.leasehold.fence;

import dev.leasehold.internal.Sha256;
import dev.leasehold.internal.disk.Disk;
import dev.leasehold.spi.Ids;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A staged record of a log, in memory if it is short, otherwise in a staged file. It always ends
 * with a newline.
 */
final class StagedRecord implements Staged {
    private static final byte NEW_LINE = '\n';

    private final byte @Nullable [] text;
    private final @Nullable StagedFile file;
    private final String digest;
    private long start;
    private boolean begun;
    private @Nullable LogTail tail;

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
    public String prepare(FenceStep step, boolean once) throws IOException {
        step.requireComplete();
        if (file != null) {
            file.requirePresent();
        }
        LogFile log = step.log();
        String pending = step.state().pending();
        LogTail before = pending == null ? null : LogTail.parse(pending);
        start = log.endOfLines();
        if (text != null && before != null && before.canTake(log, text.length, start)) {
            tail = before.with(text, once);
            return tail.format();
        }
        // The fence is about to drop the earlier records, so the log must hold them durably.
        log.force();
        if (once && file != null) {
            Disk.syncDirectory(step.target().directory());
        }
        tail = text != null ? LogTail.ofText(log, start, text, once) : LogTail.ofFile(log, start, nameOfFile());
        return tail.format();
    }

    private String nameOfFile() {
        return file == null ? "" : file.name();
    }

    @Override
    public void put(FenceStep step) throws IOException {
        inLog(step, (log, record) -> {
            begun = true;
            log.append(record, 0);
        });
    }

    @Override
    public void undo(FenceStep step) throws IOException {
        if (begun) {
            inLog(step, (log, record) -> log.undo(record, start));
        }
    }

    private interface Work {
        void on(LogFile log, RecordBytes record) throws IOException;
    }

    private void inLog(FenceStep step, Work work) throws IOException {
        if (file == null) {
            work.on(step.log(), RecordBytes.of(text == null ? new byte[0] : text));
            return;
        }
        try (FileChannel in = FileChannel.open(file.path(), StandardOpenOption.READ)) {
            work.on(step.log(), RecordBytes.of(in));
        }
    }

    @Override
    public void finish(FenceStep step) throws IOException {
        if (file != null) {
            step.log().force();
            step.markDone(null);
            file.discard();
        } else if (step.state().former() != null && tail != null) {
            step.markDone(tail.written().format());
        }
    }

    @Override
    public void discard() {
        if (file != null) {
            file.discard();
        }
    }

    /** Keeps a short record in memory and switches to a staged file when it becomes long. */
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
            this.sha = withDigest ? Sha256.digest() : null;
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
