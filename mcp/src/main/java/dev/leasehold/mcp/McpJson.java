package dev.leasehold.mcp;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.ByteArrayBuilder;

/**
 * JSON as maps, lists, texts, booleans, {@code Long} and {@code Double}. Reads UTF-8 only, and
 * refuses fields that are given twice, deep nesting and texts that are not Unicode, because two
 * programs could understand them differently.
 */
final class McpJson {
    static final int MAX_DEPTH = 32;
    private static final int MAX_DIGITS = 100;
    /** Each needs more memory than text. */
    static final long MAX_TOKENS = 100_000;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(MAX_DIGITS)
                    .maxTokenCount(MAX_TOKENS)
                    .build())
            .build();

    private McpJson() {}

    static @Nullable Object parse(byte[] utf8) throws MalformedJsonException {
        try {
            // Jackson would guess the encoding of bytes, and read UTF-16 as well.
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
            try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
                JsonToken first = parser.nextToken();
                if (first == null) {
                    throw new MalformedJsonException();
                }
                Object value = value(parser, first);
                if (parser.nextToken() != null) {
                    throw new MalformedJsonException();
                }
                return value;
            }
        } catch (CharacterCodingException | JacksonException e) {
            throw new MalformedJsonException();
        }
    }

    /** Recursive: the parser limits the depth. */
    private static @Nullable Object value(JsonParser parser, JsonToken token) throws MalformedJsonException {
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> unicode(parser.getString());
            case VALUE_NUMBER_INT -> integer(parser);
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new MalformedJsonException();
        };
    }

    private static Map<String, Object> object(JsonParser parser) throws MalformedJsonException {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (JsonToken next = parser.nextToken(); next != JsonToken.END_OBJECT; next = parser.nextToken()) {
            String name = unicode(String.valueOf(parser.currentName()));
            putNullable(fields, name, value(parser, some(parser.nextToken())));
        }
        return fields;
    }

    @SuppressWarnings("NullAway") // Null stands for the null of JSON; the readers of these maps expect it.
    private static void putNullable(Map<String, Object> fields, String name, @Nullable Object value) {
        fields.put(name, value);
    }

    private static List<Object> array(JsonParser parser) throws MalformedJsonException {
        List<Object> values = new ArrayList<>();
        for (JsonToken next = some(parser.nextToken()); next != JsonToken.END_ARRAY; next = some(parser.nextToken())) {
            addNullable(values, value(parser, next));
        }
        return values;
    }

    @SuppressWarnings("NullAway")
    private static void addNullable(List<Object> values, @Nullable Object value) {
        values.add(value);
    }

    private static JsonToken some(@Nullable JsonToken token) throws MalformedJsonException {
        if (token == null) {
            throw new MalformedJsonException();
        }
        return token;
    }

    private static Object integer(JsonParser parser) {
        JsonParser.NumberType type = parser.getNumberType();
        boolean small = type == JsonParser.NumberType.INT || type == JsonParser.NumberType.LONG;
        return small ? (Object) parser.getLongValue() : (Object) parser.getDoubleValue();
    }

    /** An escape can make half of a pair, which no encoding can carry back to its sender. */
    private static String unicode(String text) throws MalformedJsonException {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean pair = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    throw new MalformedJsonException();
                }
                i++;
            }
        }
        return text;
    }

    /** One line: line breaks in texts are escaped. */
    static byte[] write(Object value) {
        try (ByteArrayBuilder bytes = new ByteArrayBuilder()) {
            try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
                write(generator, value);
            }
            return bytes.toByteArray();
        }
    }

    private static void write(JsonGenerator generator, @Nullable Object value) {
        if (value instanceof Map<?, ?> fields) {
            generator.writeStartObject();
            for (Map.Entry<?, ?> field : fields.entrySet()) {
                generator.writeName(String.valueOf(field.getKey()));
                write(generator, field.getValue());
            }
            generator.writeEndObject();
        } else if (value instanceof List<?> values) {
            generator.writeStartArray();
            for (Object one : values) {
                write(generator, one);
            }
            generator.writeEndArray();
        } else if (value instanceof Boolean flag) {
            generator.writeBoolean(flag);
        } else if (value instanceof Integer || value instanceof Long) {
            generator.writeNumber(((Number) value).longValue());
        } else if (value instanceof Double number) {
            generator.writeNumber(number);
        } else if (value == null) {
            generator.writeNull();
        } else {
            generator.writeString(value.toString());
        }
    }
}
