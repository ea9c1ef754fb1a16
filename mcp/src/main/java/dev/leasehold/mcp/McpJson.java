package dev.leasehold.mcp;

import dev.leasehold.internal.JsonReader;
import dev.leasehold.internal.JsonWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * JSON as maps, lists, texts, booleans, {@code Long} and {@code Double}. Reads UTF-8 only, and
 * refuses fields that are given twice, deep nesting and texts that are not Unicode, because two
 * programs could understand them differently.
 */
final class McpJson {
    static final int MAX_DEPTH = 32;
    /** Fields and elements. */
    static final int MAX_VALUES = 100_000;

    private static final JsonReader.Limits LIMITS = new JsonReader.Limits(MAX_DEPTH, MAX_VALUES, 100, false);

    private McpJson() {}

    static @Nullable Object parse(byte[] utf8) throws MalformedJsonException {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
            return JsonReader.read(text, LIMITS, McpJson::number);
        } catch (CharacterCodingException | IllegalArgumentException e) {
            throw new MalformedJsonException();
        }
    }

    private static Object number(String text) {
        boolean whole = text.indexOf('.') < 0 && text.indexOf('e') < 0 && text.indexOf('E') < 0;
        if (whole) {
            try {
                return Long.valueOf(text);
            } catch (NumberFormatException e) {
                // Too large for a long: no input of a tool is.
            }
        }
        return Double.valueOf(text);
    }

    /** One line: line breaks in texts are escaped. */
    static byte[] write(Object value) {
        return JsonWriter.line(value).getBytes(StandardCharsets.UTF_8);
    }
}
