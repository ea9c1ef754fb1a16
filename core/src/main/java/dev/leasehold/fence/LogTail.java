package dev.leasehold.fence;

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

/** The end of a log, as its fence knows it: what was decided and may not be durable in the log itself. */
final class LogTail {
    /** How much text a fence can hold beside everything else. */
    static final int MAX_TEXT = 4096;

    private static final byte NEW_LINE = '\n';
    private static final String OWED = "owed";
    private static final String WRITTEN = "written";

    /** The number of the file that was the log. Another file may have it by now, so what lies there is compared. */
    private final long file;

    /** From where on; everything before is durable. */
    private final long start;

    /** The records themselves, or null if it is one long one. */
    private final byte @Nullable [] text;

    /** The staged file that holds the one long record. */
    private final @Nullable String staged;

    /** How many bytes of the text are the record that was decided last. */
    private final int last;

    /** Whether that one must be found in a log, or put there, before anything is said of it. */
    private final boolean owed;

    /** In which run of the system it was decided; empty if that is not known. */
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
        String what =
                text == null ? "file " + staged : "text " + Base64.getEncoder().encodeToString(text);
        String more = boot.isEmpty() && last == 0 ? "" : " " + last + " " + (owed ? OWED : WRITTEN) + " " + boot;
        return file + " " + start + " " + what + more;
    }

    static LogTail parse(String pending) {
        String[] parts = pending.split(" ", 7);
        try {
            boolean inline = parts[2].equals("text");
            // Shorter ones are older than the rest, and say nothing of it.
            boolean whole = parts.length == 7 && (parts[5].equals(OWED) || parts[5].equals(WRITTEN));
            byte[] text = inline ? Base64.getDecoder().decode(parts[3]) : null;
            int last = whole ? Integer.parseInt(parts[4]) : 0;
            if (parts[1].startsWith("-")
                    || !(inline || parts[2].equals("file"))
                    || !(whole || parts.length == 4)
                    || last < 0
                    || last > (text == null ? 0 : text.length)) {
                throw new IllegalArgumentException("it is in no form that this version writes");
            }
            return new LogTail(
                    Long.parseLong(parts[0]),
                    Long.parseLong(parts[1]),
                    text,
                    inline ? null : parts[3],
                    last,
                    whole && parts[5].equals(OWED),
                    whole ? parts[6] : "");
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new TargetUnavailableException(
                    "the fence says nothing sensible about the end of the log: nothing was written; restore it from a"
                            + " backup, or ask before you remove it",
                    e);
        }
    }

    /** Whether so many bytes fit, and follow right upon it: what somebody else appended is no part of it. */
    boolean canTake(LogFile log, int more, long end) {
        return text != null
                && file == log.number()
                && Boot.isStill(boot)
                && start + text.length == end
                && text.length + more <= MAX_TEXT;
    }

    LogTail with(byte[] more, boolean nowOwed) {
        byte[] before = text == null ? new byte[0] : text;
        byte[] both = Arrays.copyOf(before, before.length + more.length);
        System.arraycopy(more, 0, both, before.length, more.length);
        return new LogTail(file, start, both, null, more.length, nowOwed, boot);
    }

    /** After the last record was written: from now on it is there as long as the system runs. */
    LogTail settled() {
        return new LogTail(file, start, text, staged, last, false, boot);
    }

    /**
     * What is left if the last record is given up, in the fence's words. After a start of the system it is not known which
     * records were acknowledged, and none is given up.
     */
    @Nullable
    String withdrawn() {
        if (text == null) {
            return null;
        }
        if (!Boot.isStill(boot)) {
            return format();
        }
        byte[] others = Arrays.copyOf(text, text.length - last);
        return others.length == 0 ? null : new LogTail(file, start, others, null, 0, false, boot).format();
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
                // Somebody removed it: it cannot be completed any more, by nobody.
                step.prepareToAct();
                throw e;
            }
            // Written by an earlier version, which deleted it when it was done.
            return;
        }
        Disk.deleteQuietly(source);
    }

    private void complete(FenceStep step, RecordBytes record) throws IOException {
        LogFile log = step.existingLog();
        if (log != null && completeIn(step, log, record, log.number() == file)) {
            if (owed || !Boot.isStill(boot)) {
                settle(step, log);
            }
            return;
        }
        // It is not where it was: the log was moved away, cut, or replaced by somebody.
        if (isCompletedWhereItWent(step, record)) {
            step.settle(null);
        } else if (owed || !Boot.isStill(boot)) {
            // Rather twice than never.
            step.prepareToAct();
            LogFile now = step.log();
            long from = missingFrom(now, record);
            now.endOfLines();
            now.append(record, from);
            settle(step, now);
        } else {
            // It was written before it was acknowledged, and went with the file it was written into.
            step.settle(null);
        }
    }

    /** If it is in the same directory, under another name, and can be seen to hold it. */
    private boolean isCompletedWhereItWent(FenceStep step, RecordBytes record) throws IOException {
        try (LogFile moved = LogFile.findByNumber(step.target().directory(), file)) {
            if (moved == null || !completeIn(step, moved, record, false)) {
                return false;
            }
            moved.force();
            return true;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException | DirectoryIteratorException e) {
            // Not for this user to see or to write any more.
            return false;
        }
    }

    /**
     * Writes what is missing in this file, if what is there is the beginning of it and nothing follows.
     *
     * @param known whether this is the log; if not, a whole record must be there to show that it was
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
        if (text != null && Boot.isStill(boot)) {
            return (long) text.length - last;
        }
        return text != null && log.number() == file ? endOfRecords(record, log.matching(record, start)) : 0;
    }

    /** Where the last whole line within the first bytes ends. */
    private static long endOfRecords(RecordBytes record, long good) throws IOException {
        byte[] piece = new byte[(int) Math.min(good, MAX_TEXT)];
        record.read(0).get(piece);
        int end = piece.length;
        while (end > 0 && piece[end - 1] != NEW_LINE) {
            end--;
        }
        return end;
    }

    /** The fence may forget it, since the log holds it. */
    private static void settle(FenceStep step, LogFile log) throws IOException {
        log.force();
        step.settle(null);
    }
}
