package dev.leasehold.fence;

import dev.leasehold.internal.Fields;
import dev.leasehold.internal.Words;
import dev.leasehold.internal.disk.Disk;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The pending end of a log, kept in its fence: records that are committed and may not be durable in
 * the log yet.
 */
final class LogTail {
    /** How many bytes of records fit into a fence. */
    static final int MAX_TEXT = 4096;

    private static final byte NEW_LINE = '\n';
    private static final String TEXT = "text";
    private static final String FILE = "file";
    private static final String OWED = "owed";
    private static final String WRITTEN = "written";

    /**
     * The inode number of the log file. Another file may have it by now, so the content
     * is compared.
     */
    private final long file;

    /** Where the records begin. Everything before is durable. */
    private final long start;

    /** The records; null for a single long record, which is staged. */
    private final byte @Nullable [] text;

    /** The name of the staged file that holds the long record. */
    private final @Nullable String staged;

    /** The length of the last record in the text. */
    private final int last;

    /**
     * Whether the last record must be found in a log, or written to it, before the
     * write is acknowledged.
     */
    private final boolean owed;

    /** The boot in which the last record was committed; empty if unknown. */
    private final String boot;

    private LogTail(
            long file,
            long start,
            byte @Nullable [] text,
            @Nullable String staged,
            int last,
            boolean owed,
            String boot) {
        this.file = file;
        this.start = start;
        this.text = text;
        this.staged = staged;
        this.last = last;
        this.owed = owed;
        this.boot = boot;
    }

    static LogTail ofText(LogFile log, long start, byte[] text, boolean owed) {
        return new LogTail(log.number(), start, text, null, text.length, owed, Boot.id());
    }

    static LogTail ofFile(LogFile log, long start, String staged) {
        return new LogTail(log.number(), start, null, staged, 0, true, Boot.id());
    }

    String format() {
        String records = text == null ? staged : Base64.getEncoder().encodeToString(text);
        String tail = Words.join(file, start, text == null ? FILE : TEXT, records);
        return boot.isEmpty() && last == 0 ? tail : Words.join(tail, last, owed ? OWED : WRITTEN, boot);
    }

    static LogTail parse(String pending) {
        Words words = new Words("the entry", pending);
        try {
            long file = words.number();
            String start = words.word();
            boolean inline = words.isFirstOf(TEXT, FILE);
            String records = words.word();
            byte[] text = inline ? Base64.getDecoder().decode(records) : null;
            // Earlier versions wrote nothing after the records.
            boolean whole = words.left() > 0;
            int last = whole ? words.smallNumber() : 0;
            boolean owed = whole && words.isFirstOf(OWED, WRITTEN);
            if (start.startsWith("-") || last < 0 || last > (text == null ? 0 : text.length)) {
                throw new IllegalArgumentException("unknown format");
            }
            return new LogTail(
                    file, Fields.number(start), text, inline ? null : records, last, owed, whole ? words.rest() : "");
        } catch (IllegalArgumentException e) {
            throw new TargetUnavailableException(
                    "the fence is damaged, its entry for the end of the log cannot be read: nothing was written. "
                            + DiskTarget.RESTORE,
                    e);
        }
    }

    /**
     * Whether this many more bytes fit, and the log ends with these records: other programs may
     * have appended lines.
     */
    boolean canTake(LogFile log, int more, long end) {
        return text != null
                && file == log.number()
                && Boot.isCurrent(boot)
                && start + text.length == end
                && text.length + more <= MAX_TEXT;
    }

    LogTail with(byte[] more, boolean nowOwed) {
        byte[] before = text == null ? new byte[0] : text;
        byte[] both = Arrays.copyOf(before, before.length + more.length);
        System.arraycopy(more, 0, both, before.length, more.length);
        return new LogTail(file, start, both, null, more.length, nowOwed, boot);
    }

    /**
     * After the last record was written to the log, where it stays at least until the next boot.
     */
    LogTail written() {
        return new LogTail(file, start, text, staged, last, false, boot);
    }

    /**
     * What stays pending if the last record is given up; null for nothing. After a reboot it is
     * unknown which records were acknowledged, so none is given up.
     */
    @Nullable
    String withdrawn() {
        if (text == null) {
            return null;
        }
        if (!Boot.isCurrent(boot)) {
            return format();
        }
        byte[] others = Arrays.copyOf(text, text.length - last);
        return others.length == 0 ? null : new LogTail(file, start, others, null, 0, false, boot).format();
    }

    /** Whether the next step has to establish that the last record is in the log. */
    boolean isOwed() {
        return owed;
    }

    static void complete(FenceStep step) throws IOException {
        LogTail tail = parse(String.valueOf(step.state().pending()));
        if (tail.text != null) {
            tail.complete(step, RecordBytes.of(tail.text));
            return;
        }
        Path source = DiskTarget.staged(step.target().directory(), String.valueOf(tail.staged), DiskTarget.STAGED);
        try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            tail.complete(step, RecordBytes.of(in));
        } catch (NoSuchFileException e) {
            if (tail.owed) {
                // The staged file was removed, so the record can never be completed.
                step.prepareToAct();
                throw e;
            }
            // An earlier version completed the record and deleted the staged file.
            return;
        }
        Disk.deleteQuietly(source);
    }

    private void complete(FenceStep step, RecordBytes record) throws IOException {
        LogFile log = step.existingLog();
        if (log != null && completeIn(step, log, record, log.number() == file)) {
            if (owed || !Boot.isCurrent(boot)) {
                finish(step, log);
            }
            return;
        }
        // The records are not in the log: it was moved away, truncated or replaced.
        if (completeInRenamed(step, record)) {
            step.markDone(null);
        } else if (owed || !Boot.isCurrent(boot)) {
            // A repeated record is better than a lost one.
            step.prepareToAct();
            LogFile now = step.log();
            long from = missingFrom(now, record);
            now.endOfLines();
            now.append(record, from);
            finish(step, now);
        } else {
            // The record was written before it was acknowledged, and was moved away with its file.
            step.markDone(null);
        }
    }

    /**
     * Completes the records in the log file that was renamed within the directory, if it can
     * be identified.
     */
    private boolean completeInRenamed(FenceStep step, RecordBytes record) throws IOException {
        try (LogFile moved = LogFile.findByNumber(step.target().directory(), file)) {
            if (moved == null || !completeIn(step, moved, record, false)) {
                return false;
            }
            moved.force();
            return true;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException | DirectoryIteratorException e) {
            // This user can no longer read or write the file.
            return false;
        }
    }

    /**
     * Appends the missing part of the records to this file, if the file ends with their beginning.
     *
     * @param known whether this is known to be the log; if not, at least one whole record must be
     *     there to prove it
     */
    private boolean completeIn(FenceStep step, LogFile log, RecordBytes record, boolean known) throws IOException {
        long good = log.matching(record, start);
        if (!record.read(good).hasRemaining()) {
            return true;
        }
        if (start + good != log.size() || !(known || endOfRecords(record, good) > 0)) {
            return false;
        }
        step.prepareToAct();
        log.append(record, good);
        return true;
    }

    private long missingFrom(LogFile log, RecordBytes record) throws IOException {
        if (text != null && Boot.isCurrent(boot)) {
            return (long) text.length - last;
        }
        return text != null && log.number() == file ? endOfRecords(record, log.matching(record, start)) : 0;
    }

    /** The end of the last whole line within the first {@code good} bytes. */
    private static long endOfRecords(RecordBytes record, long good) throws IOException {
        byte[] piece = new byte[(int) Math.min(good, MAX_TEXT)];
        record.read(0).get(piece);
        int end = piece.length;
        while (end > 0 && piece[end - 1] != NEW_LINE) {
            end--;
        }
        return end;
    }

    /** Makes the log durable and removes the records from the fence. */
    private static void finish(FenceStep step, LogFile log) throws IOException {
        log.force();
        step.markDone(null);
    }
}
