package dev.leasehold.store;

import dev.leasehold.internal.disk.ShortName;

/**
 * Names of leases and keys as names of files: readable, distinct also where the file system folds case, and unable to leave
 * their directory. A name too long for a file name is cut and told apart by its hash.
 */
final class FileNames {
    private static final int MAX_ENCODED = 180;
    private static final int PREFIX_KEPT = 80;

    private FileNames() {}

    static String encode(String name) {
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
        return text.length() <= MAX_ENCODED
                ? text.toString()
                : "h-" + text.substring(2, PREFIX_KEPT) + "-" + ShortName.hash(name);
    }
}
