package dev.leasehold.model;

/**
 * Rules for text that arrives from outside and is shown to people or stored in records.
 *
 * <p>Only printable ASCII is accepted: names, holders and notes end up in terminals, logs and file names on machines
 * whose locale we do not know (cron runs in {@code C}), so anything else would be garbled or worse, obeyed.
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
            if (c < 0x20 || c > 0x7e) {
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

    /** Text from outside as a message may repeat it: not endless, and nothing in it that a terminal could act on. */
    public static String shown(String text, int maxLength) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length() && i < maxLength; i++) {
            char c = text.charAt(i);
            shown.append(c >= 0x20 && c <= 0x7e ? c : '?');
        }
        return text.length() <= maxLength
                ? shown.toString()
                : shown.append("...").toString();
    }

    private static boolean isAsciiLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    /** Names the character without printing it when a terminal could act on it. */
    private static String describe(char c) {
        return c > 0x20 && c <= 0x7e ? "the character '" + c + "'" : "the character U+" + hex(c);
    }

    private static String hex(char c) {
        String digits = Integer.toHexString(c).toUpperCase(java.util.Locale.ROOT);
        return "0000".substring(digits.length()) + digits;
    }
}
