package dev.leasehold.cli.output;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing array of bytes for the lines of another program. What a terminal could obey is made visible: control characters
 * and bytes that are not UTF-8 become {@code \xNN}, and characters that change the direction of text {@code \u202e}.
 * Other characters stay: the program wrote them for the same terminal.
 */
public final class PrintableBytes {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes = new byte[1024];
    private int length;

    public byte[] array() {
        return bytes;
    }

    public int length() {
        return length;
    }

    public void clear() {
        length = 0;
    }

    /** Adds bytes as they are. */
    public void add(byte[] from, int start, int end) {
        int count = end - start;
        makeRoom(count);
        System.arraycopy(from, start, bytes, length, count);
        length += count;
    }

    public void add(byte octet) {
        makeRoom(1);
        bytes[length++] = octet;
    }

    private void makeRoom(int count) {
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + count));
        }
    }

    /** Adds bytes so that a terminal shows them and obeys none. */
    public void addVisibly(byte[] from, int start, int end) {
        int at = start;
        while (at < end) {
            makeRoom(end - at);
            // In locals: this loop sees every byte that a job prints.
            byte[] to = bytes;
            int next = length;
            while (at < end && isPlain(from[at])) {
                to[next++] = from[at++];
            }
            length = next;
            at = at < end ? addOther(from, at, end) : at;
        }
    }

    private static boolean isPlain(byte octet) {
        return (octet >= 0x20 && octet < 0x7f) || octet == '\t';
    }

    /** Returns where the rest starts. */
    private int addOther(byte[] from, int at, int end) {
        int size = sizeOf(from[at]);
        boolean whole = size > 1 && at + size <= end;
        int code = whole ? codePoint(from, at, size) : -1;
        if (code < 0) {
            addByte(from[at]);
            return at + 1;
        }
        if (SafeText.isObeyed(code)) {
            byte[] escape = {'\\', 'u', hex(code >> 12), hex(code >> 8), hex(code >> 4), hex(code)};
            add(escape, 0, escape.length);
        } else {
            add(from, at, at + size);
        }
        return at + size;
    }

    private void addByte(byte octet) {
        byte[] escape = {'\\', 'x', hex(octet >> 4), hex(octet)};
        add(escape, 0, escape.length);
    }

    private static byte hex(int digit) {
        return HEX[digit & 0xf];
    }

    /** The size of a character that starts with this byte; 1 if none does. */
    static int sizeOf(byte first) {
        int octet = first & 0xff;
        return octet >= 0xc2 && octet < 0xe0
                ? 2
                : octet >= 0xe0 && octet < 0xf0 ? 3 : octet >= 0xf0 && octet < 0xf5 ? 4 : 1;
    }

    /** Negative if the bytes are no character. */
    private static int codePoint(byte[] from, int at, int size) {
        int code = from[at] & (0x7f >> size);
        for (int i = 1; i < size; i++) {
            if ((from[at + i] & 0xc0) != 0x80) {
                return -1;
            }
            code = code << 6 | (from[at + i] & 0x3f);
        }
        boolean tooLong = code < (size == 2 ? 0x80 : size == 3 ? 0x800 : 0x10000);
        boolean surrogate = code >= 0xd800 && code < 0xe000;
        return tooLong || surrogate || code > Character.MAX_CODE_POINT ? -1 : code;
    }
}
