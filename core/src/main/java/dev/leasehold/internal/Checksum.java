package dev.leasehold.internal;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * A checksum in the last line of a record file, so that a damaged file is not taken for another
 * record. It protects from accidents, not from attackers.
 */
public final class Checksum {
    private static final String LINE = "seal=";

    private Checksum() {}

    /** The record, which must end with a newline, with its checksum. */
    public static String on(String record) {
        return record + LINE + sum(record) + "\n";
    }

    /**
     * Checks a record. A record without a checksum was written by an older version, and passes.
     *
     * @throws IllegalArgumentException if it is damaged
     */
    public static void check(String text) {
        int start = text.lastIndexOf("\n" + LINE) + 1;
        if (start > 0 && !text.equals(on(text.substring(0, start)))) {
            throw new IllegalArgumentException("its checksum does not match, so it is damaged");
        }
    }

    private static String sum(String record) {
        CRC32 crc = new CRC32();
        crc.update(record.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(crc.getValue());
    }
}
