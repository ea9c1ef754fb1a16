package dev.leasehold.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON from outside: strict, with limits, and without reflection. A program that an agent starts
 * for each tool call uses it, because a library for JSON takes as long to load as that whole program.
 *
 * <p>An object becomes a {@link Map} that keeps the order, an array a {@link List}, a number whatever
 * the caller makes of its text. A field that occurs twice is refused: two readers may choose different
 * ones.
 */
public final class JsonReader {
    /** Half of a surrogate pair is permitted, because programs cut texts anywhere. */
    private static final Limits GENEROUS = new Limits(64, Integer.MAX_VALUE, Integer.MAX_VALUE, true);

    private final String text;
    private final Limits limits;
    private final Function<String, Object> numbers;
    private int at;
    private int values;

    private JsonReader(String text, Limits limits, Function<String, Object> numbers) {
        this.text = text;
        this.limits = limits;
        this.numbers = numbers;
    }

    /**
     * What is refused.
     *
     * @param depth objects and arrays may be nested this deeply
     * @param values a text may have this many fields and elements: each needs more memory than its text
     * @param digits a number may have this many characters
     * @param halves whether a string may have half of a surrogate pair, which no encoding can carry
     */
    public record Limits(int depth, int values, int digits, boolean halves) {}

    /**
     * Reads one value.
     *
     * @param numbers makes a value of the text of a number
     * @throws IllegalArgumentException if the text is anything else; the message does not repeat it
     */
    public static @Nullable Object read(String text, Limits limits, Function<String, Object> numbers) {
        JsonReader reader = new JsonReader(text, limits, numbers);
        Object value = reader.readValue(0);
        reader.requireEnd();
        return value;
    }

    /**
     * Reads one object of any size, with its numbers as {@link JsonNumber}.
     *
     * @throws IllegalArgumentException if the text is anything else; the message does not repeat it
     */
    public static Map<String, @Nullable Object> object(String text) {
        JsonReader reader = new JsonReader(text, GENEROUS, JsonNumber::new);
        reader.skipBlanks();
        if (reader.peek() != '{') {
            throw reader.wrong("expected a JSON object");
        }
        Map<String, @Nullable Object> object = reader.readObject(1);
        reader.requireEnd();
        return object;
    }

    private void requireEnd() {
        skipBlanks();
        if (at < text.length()) {
            throw wrong("unexpected text after the JSON");
        }
    }

    private @Nullable Object readValue(int depth) {
        values++;
        if (values > limits.values()) {
            throw wrong("JSON has too many parts");
        }
        skipBlanks();
        return switch (peek()) {
            case '{' -> readObject(deeper(depth));
            case '[' -> readArray(deeper(depth));
            case '"' -> readString();
            case 't' -> literal("true", true);
            case 'f' -> literal("false", false);
            case 'n' -> literal("null", null);
            default -> readNumber();
        };
    }

    private int deeper(int depth) {
        if (depth >= limits.depth()) {
            throw wrong("JSON is nested too deeply");
        }
        return depth + 1;
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
                throw wrong("a field occurs twice");
            }
            object.put(key, readValue(depth));
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
            array.add(readValue(depth));
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
                String read = value.toString();
                if (!limits.halves() && hasHalf(read)) {
                    throw wrong("a string has half of a surrogate pair");
                }
                return read;
            }
            value.append(c == '\\' ? escape() : c);
        }
    }

    private static boolean hasHalf(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return true;
            }
        }
        return false;
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

    private Object readNumber() {
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
        if (at - start > limits.digits()) {
            throw wrong("a number is too long");
        }
        return numbers.apply(text.substring(start, at));
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
}
