package dev.leasehold.internal;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, which every JDK has. */
public final class Sha256 {
    private Sha256() {}

    /** For input that comes in parts. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    public static String hex(byte[] input) {
        return HexFormat.of().formatHex(digest().digest(input));
    }
}
