package dev.leasehold.internal;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, which every JDK has. */
public final class Sha256 {
    /** Up to here a calculation in plain Java is done before the JDK has loaded its providers. */
    static final int SHORT = 256 * 1024;

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
        return HexFormat.of().formatHex(input.length <= SHORT ? PlainSha256.digest(input) : digest().digest(input));
    }
}
