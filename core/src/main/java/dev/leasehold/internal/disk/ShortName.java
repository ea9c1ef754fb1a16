package dev.leasehold.internal.disk;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Cuts names that are too long for a file name, and tells them apart by a hash that nobody can make collide. */
public final class ShortName {
    private static final int HASH_BYTES = 16;

    private ShortName() {}

    /** The name itself if it has at most {@code maxBytes} in UTF-8, else a readable beginning of it and the hash. */
    public static String of(String name, int maxBytes) {
        if (name.getBytes(StandardCharsets.UTF_8).length <= maxBytes) {
            return name;
        }
        // A character is at most three bytes (a pair of surrogates four), so this many always fit.
        int kept = (maxBytes - 2 * HASH_BYTES - 1) / 3;
        int end = Character.isHighSurrogate(name.charAt(kept - 1)) ? kept - 1 : kept;
        return name.substring(0, end) + "-" + hash(name);
    }

    public static String hash(String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
