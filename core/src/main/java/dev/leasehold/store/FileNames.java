package dev.leasehold.store;

import dev.leasehold.internal.PercentEncoding;
import dev.leasehold.internal.disk.ShortName;
import java.util.Optional;

/**
 * File names for leases and keys: readable, distinct even on file systems that ignore case, and
 * unable to leave their directory. A name that is too long for a file name is cut and gets a hash.
 */
final class FileNames {
    private static final int MAX_ENCODED = 180;
    private static final int PREFIX_KEPT = 80;

    private FileNames() {}

    static String encode(String name) {
        String text = encodeWhole(name);
        return text.length() <= MAX_ENCODED ? text : "h-" + text.substring(2, PREFIX_KEPT) + "-" + ShortName.hash(name);
    }

    /**
     * Whether the file may belong to a name with this prefix. Only the file name is looked at, so
     * some matches are false.
     */
    static boolean mayStartWith(String file, String prefix) {
        String wanted = encodeWhole(prefix);
        return isWhole(file)
                ? file.startsWith(wanted)
                : file.regionMatches(2, wanted, 2, Math.min(wanted.length(), PREFIX_KEPT) - 2);
    }

    /**
     * Whether the file belongs to a name. Other files, such as staged ones, are in the same
     * directory.
     */
    static boolean isEncoded(String file) {
        return isWhole(file) || file.startsWith("h-");
    }

    static boolean isWhole(String file) {
        return file.startsWith("n-");
    }

    /** The name that a file name encodes in full; empty if it encodes none. */
    static Optional<String> decode(String file) {
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
            text.append(PercentEncoding.encode(name.charAt(i), "._-"));
        }
        return text.toString();
    }
}
