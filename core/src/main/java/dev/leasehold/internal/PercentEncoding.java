package dev.leasehold.internal;

/**
 * Text in which every character but lower-case letters, digits and a few others becomes {@code %}
 * and two hex digits.
 */
public final class PercentEncoding {
    private PercentEncoding() {}

    /** The character as it appears in encoded text. Characters above U+00FF are not supported. */
    public static String encode(char c, String unreserved) {
        boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || unreserved.indexOf(c) >= 0;
        return plain ? String.valueOf(c) : "%" + Character.forDigit(c >> 4, 16) + Character.forDigit(c & 15, 16);
    }
}
