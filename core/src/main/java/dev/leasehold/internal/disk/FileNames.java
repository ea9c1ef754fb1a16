package dev.leasehold.internal.disk;

import dev.leasehold.internal.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * File names for leases, keys and fences: readable, distinct even on file systems that ignore case,
 * and unable to leave their directory. A name that is too long for a file name is cut and gets a
 * hash.
 */
public final class FileNames {
    private static final int MAX_ENCODED = 180;
    private static final int PREFIX_KEPT = 80;
    private static final int HASH_DIGITS = 32;

    private FileNames() {}

    public static String encode(String name) {
        String text = encodeWhole(name);
        return text.length() <= MAX_ENCODED ? text : "h-" + text.substring(2, PREFIX_KEPT) + "-" + hash(name);
    }

    /**
     * Whether the file may belong to a name with this prefix. Only the file name is looked at, so
     * some matches are false.
     */
    public static boolean mayStartWith(String file, String prefix) {
        String wanted = encodeWhole(prefix);
        return isWhole(file)
                ? file.startsWith(wanted)
                : file.regionMatches(2, wanted, 2, Math.min(wanted.length(), PREFIX_KEPT) - 2);
    }

    /**
     * Whether the file belongs to a name. Other files, such as staged ones, are in the same
     * directory.
     */
    public static boolean isEncoded(String file) {
        return isWhole(file) || file.startsWith("h-");
    }

    public static boolean isWhole(String file) {
        return file.startsWith("n-");
    }

    /** The name that a file name encodes in full; empty if it encodes none. */
    public static Optional<String> decode(String file) {
        StringBuilder name = new StringBuilder();
        for (int i = 2; i < file.length(); i++) {
            char c = file.charAt(i);
            if (c == '%' && i + 2 < file.length()) {
                c = (char) (Character.digit(file.charAt(i + 1), 16) * 16 + Character.digit(file.charAt(i + 2), 16));
                i += 2;
            }
            name.append(c);
        }
        String decoded = name.toString();
        // A file that a person put there may have any name; only a name that encodes to itself is
        // ours.
        return encode(decoded).equals(file) ? Optional.of(decoded) : Optional.empty();
    }

    private static String encodeWhole(String name) {
        // The prefix excludes ".", ".." and hidden names, and distinguishes the two forms.
        StringBuilder text = new StringBuilder("n-");
        for (int i = 0; i < name.length(); i++) {
            text.append(percentEncode(name.charAt(i), "._-"));
        }
        return text.toString();
    }

    /**
     * The character as it appears in encoded text: every character but lower-case letters, digits
     * and the unreserved ones becomes {@code %} and two hex digits. Characters above U+00FF are not
     * supported.
     */
    public static String percentEncode(char c, String unreserved) {
        boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || unreserved.indexOf(c) >= 0;
        return plain ? String.valueOf(c) : "%" + Character.forDigit(c >> 4, 16) + Character.forDigit(c & 15, 16);
    }

    /**
     * The name if it has at most {@code maxBytes} bytes in UTF-8; otherwise a readable prefix of it
     * and a hash.
     */
    public static String shorten(String name, int maxBytes) {
        if (name.getBytes(StandardCharsets.UTF_8).length <= maxBytes) {
            return name;
        }
        // A char takes at most three bytes (a surrogate pair four), so this many always fit.
        int kept = (maxBytes - HASH_DIGITS - 1) / 3;
        int end = Character.isHighSurrogate(name.charAt(kept - 1)) ? kept - 1 : kept;
        return name.substring(0, end) + "-" + hash(name);
    }

    private static String hash(String name) {
        return Sha256.hex(name.getBytes(StandardCharsets.UTF_8)).substring(0, HASH_DIGITS);
    }
}
