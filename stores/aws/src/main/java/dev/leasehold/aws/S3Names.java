package dev.leasehold.aws;

import dev.leasehold.model.Text;

/**
 * Turns the keys of a register into names of objects that every service accepts, and that sort in the order
 * of the keys: a character that is neither a letter nor a digit becomes a sign and its code. No name of a
 * key is the beginning of another one, because each ends with a dash, which sorts before everything else.
 */
final class S3Names {
    static final char END = '-';

    /**
     * Services that keep objects as files accept up to 255 characters between two slashes. The last part also has a number, and a
     * service may write it under a longer name at first.
     */
    private static final int SEGMENT = 150;

    private S3Names() {}

    static String encode(String key) {
        StringBuilder name = new StringBuilder(key.length() + 8);
        int segment = 0;
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (name.length() - segment >= SEGMENT) {
                name.append('/');
                segment = name.length();
            }
            if (c >= 'z') {
                // There is no usable character after z.
                name.append('z').append((char) ('0' + (c - 'z')));
            } else if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c >= 'a') {
                name.append(c);
            } else {
                name.append(c < '0' ? '.' : c < 'A' ? ':' : '_')
                        .append(Character.forDigit(c >> 4, 16))
                        .append(Character.forDigit(c & 15, 16));
            }
        }
        return name.toString();
    }

    /** @throws IllegalArgumentException if no key has this name */
    static String decode(String name) {
        StringBuilder key = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '/') {
                continue;
            }
            if (c == 'z' && i + 1 < name.length()) {
                i++;
                key.append((char) ('z' + (name.charAt(i) - '0')));
            } else if (".:_".indexOf(c) >= 0 && i + 2 < name.length()) {
                key.append((char)
                        (Character.digit(name.charAt(i + 1), 16) * 16 + Character.digit(name.charAt(i + 2), 16)));
                i += 2;
            } else {
                key.append(c);
            }
        }
        String decoded = key.toString();
        if (!encode(decoded).equals(name) || !decoded.chars().allMatch(Text::isPrintable)) {
            throw new IllegalArgumentException("no key has the name " + name);
        }
        return decoded;
    }
}
