package dev.leasehold.git;

import dev.leasehold.internal.disk.FileNames;
import dev.leasehold.model.LeaseName;
import java.util.Locale;

/**
 * The two refs that can hold the fence of a lease, and the encoding of lease names as ref names.
 *
 * <p>Lower-case letters, digits, {@code -} and {@code _} stay as they are. Every other character
 * becomes {@code %} and two hex digits: refs forbid dots, colons and slashes or give them a
 * meaning, and a server with a case-insensitive file system would confuse names that differ only in
 * case. A slash is encoded because {@code a} and {@code a/b} could not both be refs. A name that is
 * too long for one file name is split into several path components; each but the last ends in
 * {@code +}, which occurs nowhere else.
 *
 * @param primary the preferred ref
 * @param fallback a branch, for hosts that accept only branches and tags
 */
record FenceRef(LeaseName name, String primary, String fallback) {
    static final String PRIMARY = "refs/leasehold/";
    static final String FALLBACK = "refs/heads/leasehold/";

    /** With git's suffix .lock this stays well below the 255 bytes of a file name. */
    private static final int MAX_COMPONENT = 200;

    static FenceRef of(LeaseName name) {
        String encoded = encode(name.value());
        return new FenceRef(name, PRIMARY + encoded, FALLBACK + encoded);
    }

    /** Whether a ref is the fence of some lease, even on a server that ignores case. */
    static boolean isFence(String ref) {
        String lower = ref.toLowerCase(Locale.ROOT) + "/";
        return lower.startsWith(PRIMARY) || lower.startsWith(FALLBACK);
    }

    /** The lease that a fence ref belongs to. */
    static LeaseName nameOf(String ref) {
        String encoded = ref.substring(ref.startsWith(FALLBACK) ? FALLBACK.length() : PRIMARY.length());
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '+') {
                i++;
            } else if (c == '%') {
                name.append((char) Integer.parseInt(encoded, i + 1, i + 3, 16));
                i += 2;
            } else {
                name.append(c);
            }
        }
        return LeaseName.of(name.toString());
    }

    private static String encode(String name) {
        StringBuilder encoded = new StringBuilder();
        int inComponent = 0;
        for (int i = 0; i < name.length(); i++) {
            if (inComponent >= MAX_COMPONENT) {
                encoded.append("+/");
                inComponent = 0;
            }
            String one = FileNames.percentEncode(name.charAt(i), "-_");
            encoded.append(one);
            inComponent += one.length();
        }
        return encoded.toString();
    }
}
