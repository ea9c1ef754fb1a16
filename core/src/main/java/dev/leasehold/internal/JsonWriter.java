package dev.leasehold.internal;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON: maps, lists, numbers, booleans and null. Everything else is written as a string, by its
 * {@code toString}.
 */
public final class JsonWriter {
    private static final int ONE_LINE = -1;

    private final StringBuilder to = new StringBuilder();
    private final boolean ascii;

    private JsonWriter(boolean ascii) {
        this.ascii = ascii;
    }

    /** One line in ASCII, which no encoding of a stream can damage. */
    public static String ascii(@Nullable Object value) {
        return text(value, true, ONE_LINE);
    }

    /** One line, with the characters of other scripts as they are. */
    public static String line(@Nullable Object value) {
        return text(value, false, ONE_LINE);
    }

    /** For people: one field per line, indented by two blanks. */
    public static String pretty(@Nullable Object value) {
        return text(value, false, 0) + "\n";
    }

    private static String text(@Nullable Object value, boolean ascii, int indent) {
        JsonWriter writer = new JsonWriter(ascii);
        writer.append(value, indent);
        return writer.to.toString();
    }

    private void append(@Nullable Object value, int indent) {
        if (value instanceof Map<?, ?> object) {
            to.append('{');
            int left = object.size();
            for (Map.Entry<?, ?> entry : object.entrySet()) {
                newLine(indent, 1);
                string(String.valueOf(entry.getKey()));
                to.append(indent < 0 ? ":" : ": ");
                append(entry.getValue(), indent < 0 ? indent : indent + 1);
                left--;
                to.append(left > 0 ? "," : "");
            }
            newLine(object.isEmpty() ? ONE_LINE : indent, 0);
            to.append('}');
        } else if (value instanceof List<?> array) {
            to.append('[');
            int left = array.size();
            for (Object element : array) {
                newLine(indent, 1);
                append(element, indent < 0 ? indent : indent + 1);
                left--;
                to.append(left > 0 ? "," : "");
            }
            newLine(array.isEmpty() ? ONE_LINE : indent, 0);
            to.append(']');
        } else if (value == null
                || value instanceof Boolean
                || value instanceof Number
                || value instanceof JsonNumber) {
            to.append(value);
        } else {
            string(value.toString());
        }
    }

    private void newLine(int indent, int more) {
        if (indent >= 0) {
            to.append('\n').append("  ".repeat(indent + more));
        }
    }

    private void string(String value) {
        to.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"', '\\' -> to.append('\\').append(c);
                case '\n' -> to.append("\\n");
                case '\r' -> to.append("\\r");
                case '\t' -> to.append("\\t");
                default -> {
                    if (isPair(value, i) && !ascii) {
                        to.append(c).append(value.charAt(i + 1));
                        i++;
                    } else if ((c >= 0x20 && c < 0x7f) || (!ascii && isPlain(c))) {
                        to.append(c);
                    } else {
                        escape(c);
                    }
                }
            }
        }
        to.append('"');
    }

    private static boolean isPair(String value, int i) {
        return Character.isHighSurrogate(value.charAt(i))
                && i + 1 < value.length()
                && Character.isLowSurrogate(value.charAt(i + 1));
    }

    /** Neither a control character, nor a line break of Unicode, nor half of a pair. */
    private static boolean isPlain(char c) {
        return c > 0x9f && c != '\u2028' && c != '\u2029' && !Character.isSurrogate(c);
    }

    private void escape(char c) {
        String digits = Integer.toHexString(c);
        to.append("\\u").append("0000", 0, 4 - digits.length()).append(digits);
    }
}
