package dev.leasehold.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A small strict JSON parser: every parser accepts what this one does. */
public final class JsonText {
    private final String text;
    private int at;

    private JsonText(String text) {
        this.text = text;
    }

    /** One object, on one line. */
    public static Map<String, Object> object(String line) {
        JsonText reader = new JsonText(line.strip());
        Map<String, Object> object = reader.objectValue();
        if (reader.at != reader.text.length()) {
            throw new AssertionError("unexpected text after the object: " + line);
        }
        return object;
    }

    /** One object per line. */
    public static List<Map<String, Object>> lines(String output) {
        return output.lines().map(JsonText::object).toList();
    }

    private Map<String, Object> objectValue() {
        Map<String, Object> object = new LinkedHashMap<>();
        expect('{');
        while (text.charAt(at) != '}') {
            if (!object.isEmpty()) {
                expect(',');
            }
            String key = string();
            expect(':');
            if (object.put(key, value()) != null) {
                throw new AssertionError("duplicate field: " + key);
            }
        }
        at++;
        return object;
    }

    private Object value() {
        return switch (text.charAt(at)) {
            case '{' -> objectValue();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            default -> number();
        };
    }

    private List<Object> array() {
        List<Object> values = new ArrayList<>();
        expect('[');
        while (text.charAt(at) != ']') {
            if (!values.isEmpty()) {
                expect(',');
            }
            values.add(value());
        }
        at++;
        return values;
    }

    private String string() {
        StringBuilder read = new StringBuilder();
        expect('"');
        while (text.charAt(at) != '"') {
            char c = text.charAt(at++);
            if (c < 0x20 || c > 0x7e) {
                throw new AssertionError("a character that is not plain ASCII in: " + text);
            }
            read.append(c == '\\' ? escaped() : c);
        }
        at++;
        return read.toString();
    }

    private char escaped() {
        char kind = text.charAt(at++);
        if (kind == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        if (kind != '"' && kind != '\\') {
            throw new AssertionError("unknown escape " + kind);
        }
        return kind;
    }

    private Object word(String word, boolean value) {
        if (!text.startsWith(word, at)) {
            throw new AssertionError("expected a value at " + at + ": " + text);
        }
        at += word.length();
        return value;
    }

    private Long number() {
        int from = at;
        while (Character.isDigit(text.charAt(at)) || text.charAt(at) == '-') {
            at++;
        }
        return Long.valueOf(text.substring(from, at));
    }

    private void expect(char c) {
        if (text.charAt(at) != c) {
            throw new AssertionError("expected " + c + " at " + at + ": " + text);
        }
        at++;
    }
}
