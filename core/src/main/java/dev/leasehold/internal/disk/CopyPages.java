package dev.leasehold.internal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a {@link TwoCopyFile}: at 0 the process that has it open, for messages to processes
 * that wait; at 512 the number of the latest durable copy; from 4096 the two copies, each with a
 * header and a checksum.
 */
final class CopyPages {
    private static final int OWNER_BYTES = 256;
    private static final int DONE_START = 512;
    private static final int DONE_BYTES = 64;
    private static final int COPIES_START = 4096;
    private static final int HEADER_BYTES = 64;

    private final FileChannel channel;
    private final TwoCopyFile.Size size;

    /** The headers as last read or written, valid or not. */
    private final byte[][] headers = new byte[2][];

    CopyPages(FileChannel channel, TwoCopyFile.Size size) {
        this.channel = channel;
        this.size = size;
    }

    /** A text and its sequence number. */
    record Copy(long sequence, String text) {}

    /** The valid copy with the higher number; null if neither is valid. */
    @Nullable
    Copy latest() throws IOException {
        Copy first = read(0);
        Copy second = read(1);
        if (first == null || second == null) {
            return first == null ? second : first;
        }
        return first.sequence > second.sequence ? first : second;
    }

    /**
     * Whether the headers are unchanged, so that no other process has written since they were read.
     */
    boolean areUnchanged() throws IOException {
        return Arrays.equals(headers[0], header(0)) && Arrays.equals(headers[1], header(1));
    }

    /** Overwrites the older copy, or the same copy again. */
    void write(Copy copy) throws IOException {
        byte[] bytes = encode(copy, size);
        headers[(int) (copy.sequence % 2)] = Arrays.copyOf(bytes, HEADER_BYTES);
        writeFully(channel, ByteBuffer.wrap(bytes), position(copy.sequence));
    }

    /** Allocates all blocks at once, so that leases can be renewed and released on a full disk. */
    static void format(FileChannel channel, TwoCopyFile.Size size, String text) throws IOException {
        CopyPages pages = new CopyPages(channel, size);
        if (size == TwoCopyFile.Size.SMALL) {
            writeFully(channel, ByteBuffer.allocate((int) pages.position(1) + size.copyBytes()), 0);
        }
        pages.write(new Copy(0, text));
    }

    /** The copy is durable already. If this fails, it is only made durable once more. */
    void noteDone(long sequence) {
        try {
            String note = "done " + sequence + " " + Long.toHexString(checksum(sequence, new byte[0]));
            writeFully(channel, ByteBuffer.wrap(padded(note, DONE_BYTES)), DONE_START);
        } catch (IOException e) {
            System.getLogger("dev.leasehold")
                    .log(System.Logger.Level.DEBUG, "a durable write could not be marked as done", e);
        }
    }

    /**
     * The number of the latest copy that is known to be durable; -1 if that is missing or damaged.
     */
    long done() throws IOException {
        String[] parts = words(read(DONE_START, DONE_BYTES));
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

    void writeOwner(String owner) throws IOException {
        writeFully(channel, ByteBuffer.wrap(padded(owner, OWNER_BYTES)), 0);
    }

    static String readOwner(FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(OWNER_BYTES);
        channel.read(buffer, 0);
        String owner =
                StandardCharsets.US_ASCII.decode(buffer.flip()).toString().trim();
        return owner.isEmpty() ? "another process" : owner;
    }

    private @Nullable Copy read(int index) throws IOException {
        byte[] header = header(index);
        headers[index] = header;
        String[] parts = words(ByteBuffer.wrap(header));
        if (parts.length != 4 || !parts[0].equals("slot")) {
            return null;
        }
        try {
            long sequence = Long.parseLong(parts[1]);
            int length = Integer.parseInt(parts[2]);
            if (sequence < 0 || sequence % 2 != index || length < 0 || length > maxText(size)) {
                return null;
            }
            byte[] body = read(position(index) + HEADER_BYTES, length).array();
            return checksum(sequence, body) == Long.parseLong(parts[3], 16)
                    ? new Copy(sequence, new String(body, StandardCharsets.UTF_8))
                    : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private byte[] header(int index) throws IOException {
        return read(position(index), HEADER_BYTES).array();
    }

    private long position(long sequence) {
        return COPIES_START + (sequence % 2) * size.copyBytes();
    }

    private static int maxText(TwoCopyFile.Size size) {
        return size.copyBytes() - HEADER_BYTES;
    }

    private ByteBuffer read(long position, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining() && channel.read(buffer, position + buffer.position()) > 0) {}
        return buffer.rewind();
    }

    private static String[] words(ByteBuffer line) {
        return StandardCharsets.US_ASCII.decode(line).toString().trim().split(" ", 5);
    }

    private static byte[] encode(Copy copy, TwoCopyFile.Size size) throws IOException {
        byte[] body = copy.text.getBytes(StandardCharsets.UTF_8);
        if (body.length > maxText(size)) {
            throw new IOException("the record is too large: " + body.length + " bytes, at most " + maxText(size));
        }
        String header =
                "slot " + copy.sequence + " " + body.length + " " + Long.toHexString(checksum(copy.sequence, body));
        byte[] bytes = Arrays.copyOf(padded(header, HEADER_BYTES), HEADER_BYTES + body.length);
        System.arraycopy(body, 0, bytes, HEADER_BYTES, body.length);
        return bytes;
    }

    private static long checksum(long sequence, byte[] body) {
        // CRC32 is native. CRC32C builds tables at its first use, which slows start-up.
        CRC32 crc = new CRC32();
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(sequence).flip());
        crc.update(body);
        return crc.getValue();
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
}
