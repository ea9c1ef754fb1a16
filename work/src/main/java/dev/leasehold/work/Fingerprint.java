package dev.leasehold.work;

import dev.leasehold.model.Text;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What tells one input of a key from another. The same key with another input is a mistake, and must not pass for a retry. */
public record Fingerprint(String value) {
    public static final int MAX_LENGTH = 200;

    public Fingerprint {
        Text.printable("fingerprint", value, MAX_LENGTH);
    }

    public static Fingerprint of(String value) {
        return new Fingerprint(value);
    }

    /** The SHA-256 of an input of any length. */
    public static Fingerprint ofInput(String input) {
        return ofInput(input.getBytes(StandardCharsets.UTF_8));
    }

    public static Fingerprint ofInput(byte[] input) {
        try {
            return new Fingerprint(HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(input)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
