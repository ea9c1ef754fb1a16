package dev.leasehold.model;

/**
 * Checks text that comes from outside and is shown to people or stored in records.
 *
 * <p>Only printable ASCII is accepted. Names, holders and notes end up in terminals, logs and file
 * names on machines whose locale is unknown (cron runs in {@code C}), which could garble other
 * characters or obey them.
 */
public final class Text {
    private Text() {}

    public static String printable(String what, String value, int maxLength) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException(what + " is empty: it needs 1 to " + maxLength + " characters");
        }
        if (value.length() > maxLength) {
            throw new IllegalArgumentException(
                    what + " is too long: " + value.length() + " characters, at most " + maxLength + " are allowed");
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (!isPrintable(c)) {
                throw new IllegalArgumentException(what + " has " + describe(c) + " at position " + (i + 1)
                        + ": only printable ASCII characters are allowed");
            }
        }
        return value;
    }

    static String identifier(String what, String value, int minLength, int maxLength, String extra) {
        if (value.length() < minLength || value.length() > maxLength) {
            throw new IllegalArgumentException(what + " has " + value.length() + " characters: it needs " + minLength
                    + " to " + maxLength + " of A-Z a-z 0-9 " + extra);
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (!isAsciiLetterOrDigit(c) && extra.indexOf(c) < 0) {
                throw new IllegalArgumentException(what + " has " + describe(c) + " at position " + (i + 1)
                        + ": allowed are A-Z a-z 0-9 " + extra);
            }
        }
        return value;
    }

    /**
     * Text from outside for use in a message: of limited length, and without characters that a
     * terminal could act on.
     */
    public static String shown(String text, int maxLength) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length() && i < maxLength; i++) {
            char c = text.charAt(i);
            shown.append(isPrintable(c) ? c : '?');
        }
        return text.length() <= maxLength
                ? shown.toString()
                : shown.append("...").toString();
    }

    /** Whether the character is printable ASCII; the blank is. */
    public static boolean isPrintable(int c) {
        return c >= 0x20 && c <= 0x7e;
    }

    private static boolean isAsciiLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    /** Describes the character, without printing one that a terminal could act on. */
    private static String describe(char c) {
        return c != ' ' && isPrintable(c) ? "the character '" + c + "'" : "the character U+" + hex(c);
    }

    private static String hex(char c) {
        String digits = Integer.toHexString(c).toUpperCase(java.util.Locale.ROOT);
        return "0000".substring(digits.length()) + digits;
    }
}
