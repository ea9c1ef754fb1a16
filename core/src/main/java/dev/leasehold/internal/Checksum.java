package dev.leasehold.internal;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * A last line by which a record in a file of its own shows that it is still as it was written: a disk that lost a bit must not
 * make it another record. It protects from accidents, not from people.
 */
public final class Checksum {
    private static final String LINE = "seal=";

    private Checksum() {}

    /** The record, of whole lines, with its seal. */
    public static String on(String record) {
        return record + LINE + sum(record) + "\n";
    }

    /**
     * Lets pass what is as it was written. A record without a seal is one of an older version.
     *
     * @throws IllegalArgumentException if it has been damaged
     */
    public static void check(String text) {
        int seal = text.lastIndexOf("\n" + LINE) + 1;
        if (seal > 0 && !text.equals(on(text.substring(0, seal)))) {
            throw new IllegalArgumentException("its checksum does not fit, so it was damaged");
        }
    }

    private static String sum(String record) {
        CRC32 crc = new CRC32();
        crc.update(record.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(crc.getValue());
    }
}
