package dev.leasehold.agents;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON from outside: strict, with bounds, and without reflection. The libraries in this
 * project take longer to load than the whole hook may take.
 *
 * <p>An object becomes a {@link Map} that keeps the order, an array a {@link List}, a number a {@link
 * JsonNumber} that keeps its text, so that settings can be written back unchanged.
 */
public final class AgentJson {
    private static final int MAX_DEPTH = 64;

    private final String text;
    private int at;

    private AgentJson(String text) {
        this.text = text;
    }

    /** A number as it was written. */
    public record JsonNumber(String text) {
        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * Reads one object.
     *
     * @throws IllegalArgumentException if the text is anything else; the message does not repeat it
     */
    public static Map<String, @Nullable Object> object(String text) {
        AgentJson reader = new AgentJson(text);
        reader.skipBlanks();
        if (reader.peek() != '{') {
            throw reader.wrong("expected a JSON object");
        }
        Map<String, @Nullable Object> object = reader.readObject(0);
        reader.skipBlanks();
        if (reader.at < text.length()) {
            throw reader.wrong("unexpected text after the JSON object");
        }
        return object;
    }

    private @Nullable Object readValue(int depth) {
        if (depth > MAX_DEPTH) {
            throw wrong("JSON is nested too deeply");
        }
        skipBlanks();
        return switch (peek()) {
            case '{' -> readObject(depth);
            case '[' -> readArray(depth);
            case '"' -> readString();
            case 't' -> literal("true", true);
            case 'f' -> literal("false", false);
            case 'n' -> literal("null", null);
            default -> readNumber();
        };
    }

    private Map<String, @Nullable Object> readObject(int depth) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        at++;
        skipBlanks();
        if (peek() == '}') {
            at++;
            return object;
        }
        while (true) {
            skipBlanks();
            if (peek() != '"') {
                throw wrong("expected the name of a field");
            }
            String key = readString();
            skipBlanks();
            expect(':');
            if (object.containsKey(key)) {
                // Two readers may choose different ones, so the hook could check another file than
                // the agent edits.
                throw wrong("a field occurs twice");
            }
            object.put(key, readValue(depth + 1));
            skipBlanks();
            if (peek() == ',') {
                at++;
            } else {
                expect('}');
                return object;
            }
        }
    }

    private List<@Nullable Object> readArray(int depth) {
        List<@Nullable Object> array = new ArrayList<>();
        at++;
        skipBlanks();
        if (peek() == ']') {
            at++;
            return array;
        }
        while (true) {
            array.add(readValue(depth + 1));
            skipBlanks();
            if (peek() == ',') {
                at++;
            } else {
                expect(']');
                return array;
            }
        }
    }

    private String readString() {
        StringBuilder value = new StringBuilder();
        at++;
        while (true) {
            char c = peek();
            if (c < 0x20) {
                throw wrong(at >= text.length() ? "a string is cut off" : "a string has a control character");
            }
            at++;
            if (c == '"') {
                return value.toString();
            }
            value.append(c == '\\' ? escape() : c);
        }
    }

    private char escape() {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw wrong("unknown escape in a string");
        };
    }

    private char unicode() {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            char c = peek();
            int digit = c < 0x80 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw wrong("a \\u escape needs four hexadecimal digits");
            }
            value = value * 16 + digit;
            at++;
        }
        return (char) value;
    }

    private JsonNumber readNumber() {
        int start = at;
        skip('-');
        int first = at;
        int whole = digits();
        if (whole == 0 || (whole > 1 && text.charAt(first) == '0')) {
            throw wrong("expected a JSON value");
        }
        if (skip('.') && digits() == 0) {
            throw wrong("expected digits");
        }
        if (skip('e') || skip('E')) {
            if (!skip('+')) {
                skip('-');
            }
            if (digits() == 0) {
                throw wrong("expected digits");
            }
        }
        return new JsonNumber(text.substring(start, at));
    }

    private int digits() {
        int start = at;
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
        return at - start;
    }

    private boolean skip(char c) {
        if (peek() == c) {
            at++;
            return true;
        }
        return false;
    }

    private @Nullable Object literal(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong("expected a JSON value");
        }
        at += word.length();
        return value;
    }

    private void skipBlanks() {
        while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') {
            at++;
        }
    }

    private void expect(char c) {
        if (peek() != c) {
            throw wrong("expected '" + c + "'");
        }
        at++;
    }

    /** The next character; a zero at the end, which is not valid anywhere. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : 0;
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(what + " at position " + (at + 1));
    }

    /** Formats a value on one line, in ASCII. */
    public static String format(@Nullable Object value) {
        StringBuilder to = new StringBuilder();
        append(to, value, -1);
        return to.toString();
    }

    /** Formats a value for people: one field per line, indented by two blanks. */
    public static String pretty(@Nullable Object value) {
        StringBuilder to = new StringBuilder();
        append(to, value, 0);
        return to.append('\n').toString();
    }

    private static void append(StringBuilder to, @Nullable Object value, int indent) {
        if (value instanceof Map<?, ?> object) {
            to.append('{');
            int left = object.size();
            for (Map.Entry<?, ?> entry : object.entrySet()) {
                newLine(to, indent, 1);
                string(to, String.valueOf(entry.getKey()), indent >= 0);
                to.append(indent < 0 ? ":" : ": ");
                append(to, entry.getValue(), indent < 0 ? indent : indent + 1);
                left--;
                to.append(left > 0 ? "," : "");
            }
            newLine(to, object.isEmpty() ? -1 : indent, 0);
            to.append('}');
        } else if (value instanceof List<?> array) {
            to.append('[');
            int left = array.size();
            for (Object element : array) {
                newLine(to, indent, 1);
                append(to, element, indent < 0 ? indent : indent + 1);
                left--;
                to.append(left > 0 ? "," : "");
            }
            newLine(to, array.isEmpty() ? -1 : indent, 0);
            to.append(']');
        } else if (value instanceof String string) {
            string(to, string, indent >= 0);
        } else {
            to.append(value);
        }
    }

    private static void newLine(StringBuilder to, int indent, int more) {
        if (indent >= 0) {
            to.append('\n').append("  ".repeat(indent + more));
        }
    }

    private static void string(StringBuilder to, String value, boolean keepUnicode) {
        to.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"', '\\' -> to.append('\\').append(c);
                case '\n' -> to.append("\\n");
                case '\r' -> to.append("\\r");
                case '\t' -> to.append("\\t");
                default -> {
                    boolean plain = (c >= 0x20 && c < 0x7f) || (keepUnicode && c > 0x9f && !Character.isSurrogate(c));
                    if (plain) {
                        to.append(c);
                    } else {
                        to.append("\\u")
                                .append("0000", 0, 4 - Integer.toHexString(c).length());
                        to.append(Integer.toHexString(c));
                    }
                }
            }
        }
        to.append('"');
    }
}
