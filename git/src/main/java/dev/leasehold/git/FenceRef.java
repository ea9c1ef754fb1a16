package dev.leasehold.git;

import dev.leasehold.internal.PercentEncoding;
import dev.leasehold.model.LeaseName;
import java.util.Locale;

/**
 * The refs that can be the fence of a lease, and the way from a lease name to a ref name and back.
 *
 * <p>Lower-case letters, digits, {@code -} and {@code _} stand for themselves, everything else is {@code %} and two hex
 * digits: dots, colons and slashes are forbidden in refs or mean something there, and a server whose disk does not tell
 * upper from lower case would take two leases for one. A slash must not stay one, or {@code a} and {@code a/b} could not
 * both be refs. What is too long for a file name goes on in a further component; those before the last end in {@code +},
 * which occurs nowhere else.
 *
 * @param primary where the fence belongs
 * @param fallback a branch, for hosts that accept nothing but branches and tags
 */
record FenceRef(LeaseName name, String primary, String fallback) {
    static final String PRIMARY = "refs/leasehold/";
    static final String FALLBACK = "refs/heads/leasehold/";

    /** With the ending .lock of git's own lock files this is well below the 255 bytes of a file name. */
    private static final int COMPONENT = 200;

    static FenceRef of(LeaseName name) {
        String encoded = encode(name.value());
        return new FenceRef(name, PRIMARY + encoded, FALLBACK + encoded);
    }

    /** Whether a ref is anybody's fence, also to a server that ignores case. */
    static boolean isFence(String ref) {
        String lower = ref.toLowerCase(Locale.ROOT) + "/";
        return lower.startsWith(PRIMARY) || lower.startsWith(FALLBACK);
    }

    /** The lease whose fence this is. */
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
            if (inComponent >= COMPONENT) {
                encoded.append("+/");
                inComponent = 0;
            }
            String one = PercentEncoding.encode(name.charAt(i), "-_");
            encoded.append(one);
            inComponent += one.length();
        }
        return encoded.toString();
    }
}
