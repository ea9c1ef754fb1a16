package dev.leasehold.guard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
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

    /** Which file the log was, by its number: another one under the same name is another log. */
    private final long file;

    /** From where on; everything before is durable. */
    private final long start;

    /** The records themselves, or null if it is one long one. */
    private final byte @Nullable [] text;

    /** The staged file that holds the one long record. */
    private final @Nullable String staged;

    LogTail(long file, long start, byte @Nullable [] text, @Nullable String staged) {
        this.file = file;
        this.start = start;
        this.text = text;
        this.staged = staged;
    }

    String format() {
        String what =
                text == null ? "file " + staged : "text " + Base64.getEncoder().encodeToString(text);
        return file + " " + start + " " + what;
    }

    static LogTail parse(String pending) {
        String[] parts = pending.split(" ", 4);
        try {
            boolean inline = parts[2].equals("text");
            if (parts[1].startsWith("-") || !(inline || parts[2].equals("file"))) {
                throw new IllegalArgumentException("it is in no form that this version writes");
            }
            return new LogTail(
                    Long.parseLong(parts[0]),
                    Long.parseLong(parts[1]),
                    inline ? Base64.getDecoder().decode(parts[3]) : null,
                    inline ? null : parts[3]);
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new TargetUnavailableException(
                    "the fence says nothing sensible about the end of the log: nothing was written; restore it from a"
                            + " backup, or ask before you remove it",
                    e);
        }
    }

    /** The tail that ends the log now, or null if the log is another file or was cut by somebody. */
    static @Nullable LogTail of(FenceStep step, long file, long size) {
        String pending = step.state().fence().pending();
        LogTail tail = pending == null ? null : parse(pending);
        boolean same = tail != null && tail.file == file && size >= tail.start;
        return same ? tail : null;
    }

    /** Whether so many bytes fit, and follow right upon it: what somebody else appended is no part of it. */
    boolean canTake(int more, long end) {
        return text != null && start + text.length == end && text.length + more <= MAX_TEXT;
    }

    LogTail with(byte[] more) {
        byte[] before = text == null ? new byte[0] : text;
        byte[] both = Arrays.copyOf(before, before.length + more.length);
        System.arraycopy(more, 0, both, before.length, more.length);
        return new LogTail(file, start, both, null);
    }

    static void complete(FenceStep step) throws IOException {
        Path log = step.target().file();
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            LogTail tail = of(step, number(log), channel.size());
            if (tail != null && tail.text != null) {
                tail.completeText(step, channel, tail.text);
            } else if (tail != null) {
                tail.completeFile(
                        step,
                        channel,
                        DiskTarget.staged(step.target().directory(), String.valueOf(tail.staged), DiskTarget.STAGED));
            }
        } catch (NoSuchFileException e) {
            // Moved away since, with what it held. It was there when the record was decided.
        }
    }

    private void completeText(FenceStep step, FileChannel channel, byte[] wanted) throws IOException {
        ByteBuffer found = ByteBuffer.allocate(wanted.length);
        while (found.hasRemaining() && channel.read(found, start + found.position()) > 0) {}
        ByteBuffer all = ByteBuffer.wrap(wanted);
        int good = found.flip().mismatch(all);
        if (good >= 0) {
            step.sync();
            writeFully(channel, all.position(good), start + good);
        }
    }

    private void completeFile(FenceStep step, FileChannel channel, Path source) throws IOException {
        try (FileChannel in = FileChannel.open(source, StandardOpenOption.READ)) {
            step.sync();
            channel.position(start);
            long at = 0;
            for (long moved = 1; moved > 0; at += moved) {
                moved = in.transferTo(at, Integer.MAX_VALUE, channel);
            }
        } catch (NoSuchFileException e) {
            // It was completed, and then deleted.
            return;
        }
        channel.force(false);
        Files.delete(source);
    }

    static void writeFully(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
    }

    /** The number by which the file system knows a file, whatever its name. */
    static long number(Path file) throws IOException {
        return (Long) Files.getAttribute(file, "unix:ino");
    }
}
