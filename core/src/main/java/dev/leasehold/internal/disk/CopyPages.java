package dev.leasehold.internal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link TwoCopyFile} looks like on the disk: at 0 who has it open, for the message to those who wait; at 512 what is
 * done; from 4096 the two slots, each with a header and a checksum.
 */
final class CopyPages {
    private static final int OWNER_BYTES = 256;
    private static final int DONE_START = 512;
    private static final int DONE_BYTES = 64;
    private static final int SLOTS_START = 4096;
    private static final int HEADER_BYTES = 64;

    private final FileChannel channel;
    private final TwoCopyFile.Size size;

    /** The headers as they were read or written last, whole or not. */
    private final byte[][] headers = new byte[2][];

    CopyPages(FileChannel channel, TwoCopyFile.Size size) {
        this.channel = channel;
        this.size = size;
    }

    /** One text with its number. */
    record Copy(long sequence, String text) {}

    /** The whole copy with the higher number; null if neither is whole. */
    @Nullable
    Copy latest() throws IOException {
        Copy first = read(0);
        Copy second = read(1);
        if (first == null || second == null) {
            return first == null ? second : first;
        }
        return first.sequence > second.sequence ? first : second;
    }

    /** Whether the slots begin as they did: no writer got in since they were read. */
    boolean areUnchanged() throws IOException {
        return Arrays.equals(headers[0], header(0)) && Arrays.equals(headers[1], header(1));
    }

    /** Overwrites the older slot, or the same one once more. */
    void write(Copy copy) throws IOException {
        byte[] bytes = encode(copy, size);
        headers[(int) (copy.sequence % 2)] = Arrays.copyOf(bytes, HEADER_BYTES);
        writeFully(channel, ByteBuffer.wrap(bytes), position(copy.sequence));
    }

    /** All blocks are taken at once, so that a full disk cannot keep a lease from being renewed or released. */
    static void format(FileChannel channel, TwoCopyFile.Size size, String text) throws IOException {
        CopyPages pages = new CopyPages(channel, size);
        if (size == TwoCopyFile.Size.SMALL) {
            writeFully(channel, ByteBuffer.allocate((int) pages.position(1) + size.slotBytes()), 0);
        }
        pages.write(new Copy(0, text));
    }

    /** What is written is durable already; all that a failure here costs is that it is made durable once more. */
    void noteDone(long sequence) {
        try {
            String note = "done " + sequence + " " + Long.toHexString(checksum(sequence, new byte[0]));
            writeFully(channel, ByteBuffer.wrap(padded(note, DONE_BYTES)), DONE_START);
        } catch (IOException e) {
            System.getLogger("dev.leasehold").log(System.Logger.Level.DEBUG, "a write could not be noted as done", e);
        }
    }

    /** The number of the latest copy that is known to have been durable; -1 if there is no note, or a damaged one. */
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

    private @Nullable Copy read(int slot) throws IOException {
        byte[] header = header(slot);
        headers[slot] = header;
        String[] parts = words(ByteBuffer.wrap(header));
        if (parts.length != 4 || !parts[0].equals("slot")) {
            return null;
        }
        try {
            long sequence = Long.parseLong(parts[1]);
            int length = Integer.parseInt(parts[2]);
            if (sequence < 0 || sequence % 2 != slot || length < 0 || length > maxText(size)) {
                return null;
            }
            byte[] body = read(position(slot) + HEADER_BYTES, length).array();
            return checksum(sequence, body) == Long.parseLong(parts[3], 16)
                    ? new Copy(sequence, new String(body, StandardCharsets.UTF_8))
                    : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private byte[] header(int slot) throws IOException {
        return read(position(slot), HEADER_BYTES).array();
    }

    private long position(long sequence) {
        return SLOTS_START + (sequence % 2) * size.slotBytes();
    }

    private static int maxText(TwoCopyFile.Size size) {
        return size.slotBytes() - HEADER_BYTES;
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
        // The older polynomial: its class is native, the newer one builds tables at first use.
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
