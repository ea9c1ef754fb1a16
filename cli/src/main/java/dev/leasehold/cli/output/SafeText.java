package dev.leasehold.cli.output;

import dev.leasehold.internal.Secrets;
import dev.leasehold.model.Text;

/**
 * Makes untrusted text safe for a terminal and a log: one line, bounded, without control characters
 * and passwords.
 */
public final class SafeText {
    private static final int MAX_SHOWN = 80;

    private SafeText() {}

    /** A value in quotes, safe to show to the user who typed it. */
    public static String quote(String value) {
        return "'" + show(value) + "'";
    }

    /** A word as it is typed in a shell, in quotes if it needs them. */
    public static String shellWord(String word) {
        return word.matches("[A-Za-z0-9_./@%+:,=-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** The same, without quotes. */
    public static String show(String value) {
        String safe = escape(Secrets.withoutPassword(value));
        return safe.length() <= MAX_SHOWN ? safe : safe.substring(0, MAX_SHOWN) + "...";
    }

    /**
     * Escapes all but printable ASCII: the encoding of the terminal is unknown, and it may obey
     * control characters.
     */
    public static String escape(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isPlain(text.charAt(i))) {
                return escapeFrom(text, i);
            }
        }
        return text;
    }

    /** Control characters, ends of lines, and characters that change the direction of text: a terminal acts on them. */
    public static boolean isObeyed(int code) {
        return Character.isISOControl(code)
                || code == 0x061c
                || (code >= 0x200e && code <= 0x200f)
                || (code >= 0x2028 && code <= 0x202e)
                || (code >= 0x2066 && code <= 0x2069)
                || code == 0xfeff;
    }

    static boolean isPlain(char c) {
        return Text.isPrintable(c);
    }

    private static String escapeFrom(String text, int first) {
        StringBuilder safe = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                safe.append(c);
            } else {
                appendUnicode(safe, c);
            }
        }
        return safe.toString();
    }

    /** Appends the escape of JSON and Java: a backslash, u, and four hex digits. */
    static void appendUnicode(StringBuilder to, char c) {
        to.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            to.append("0123456789abcdef".charAt((c >> shift) & 0xf));
        }
    }
}
