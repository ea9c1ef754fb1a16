package dev.leasehold.internal.disk;

import dev.leasehold.internal.Sha256;
import java.nio.charset.StandardCharsets;

/** Shortens names that are too long for a file name, and keeps them distinct by a hash. */
public final class ShortName {
    private static final int HASH_DIGITS = 32;

    private ShortName() {}

    /**
     * The name if it has at most {@code maxBytes} bytes in UTF-8; otherwise a readable prefix of it
     * and the hash.
     */
    public static String of(String name, int maxBytes) {
        if (name.getBytes(StandardCharsets.UTF_8).length <= maxBytes) {
            return name;
        }
        // A char takes at most three bytes (a surrogate pair four), so this many always fit.
        int kept = (maxBytes - HASH_DIGITS - 1) / 3;
        int end = Character.isHighSurrogate(name.charAt(kept - 1)) ? kept - 1 : kept;
        return name.substring(0, end) + "-" + hash(name);
    }

    public static String hash(String name) {
        return Sha256.hex(name.getBytes(StandardCharsets.UTF_8)).substring(0, HASH_DIGITS);
    }
}
