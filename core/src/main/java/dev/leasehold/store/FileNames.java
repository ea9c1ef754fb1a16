package dev.leasehold.store;

import dev.leasehold.internal.disk.ShortName;
import java.util.Optional;

/**
 * Names of leases and keys as names of files: readable, distinct also where the file system folds case, and unable to leave
 * their directory. A name too long for a file name is cut and told apart by its hash.
 */
final class FileNames {
    private static final int MAX_ENCODED = 180;
    private static final int PREFIX_KEPT = 80;

    private FileNames() {}

    static String encode(String name) {
        String text = encodeWhole(name);
        return text.length() <= MAX_ENCODED ? text : "h-" + text.substring(2, PREFIX_KEPT) + "-" + ShortName.hash(name);
    }

    /** Whether the file's name may belong to a name with this prefix: told without opening it, so some are taken in vain. */
    static boolean mayStartWith(String file, String prefix) {
        String wanted = encodeWhole(prefix);
        return isWhole(file)
                ? file.startsWith(wanted)
                : file.regionMatches(2, wanted, 2, Math.min(wanted.length(), PREFIX_KEPT) - 2);
    }

    /** Whether the file's name stands for a name at all; others lie beside, staged ones for example. */
    static boolean isEncoded(String file) {
        return isWhole(file) || file.startsWith("h-");
    }

    static boolean isWhole(String file) {
        return file.startsWith("n-");
    }

    /** The name that a whole name of a file stands for; empty if it stands for none. */
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
        // Who lays a file there by hand may call it anything: only what encodes to the same is meant.
        return encode(decoded).equals(file) ? Optional.of(decoded) : Optional.empty();
    }

    private static String encodeWhole(String name) {
        // The first letter keeps ".", ".." and hidden names out, and tells the two forms apart.
        StringBuilder text = new StringBuilder("n-");
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-') {
                text.append(c);
            } else {
                text.append('%').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            }
        }
        return text.toString();
    }
}
