package dev.leasehold.work;

import dev.leasehold.internal.Sha256;
import dev.leasehold.model.Text;
import java.nio.charset.StandardCharsets;

/**
 * Identifies the input of a key. The same key with another input is a mistake, and must not pass
 * for a retry.
 */
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
        return new Fingerprint(Sha256.hex(input));
    }

    @Override
    public String toString() {
        return value;
    }
}
