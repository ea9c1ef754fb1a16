package dev.leasehold.client.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/** Reads and writes messages. */
public final class JsonMessages {
    private static final int MAX_DEPTH = 20;
    private static final JsonMapper STRICT = mapper(true);
    private static final JsonMapper LENIENT = mapper(false);

    private JsonMessages() {}

    /** Nothing is converted: a number in quotes is not a number, and 1.0 is not an integer. */
    private static JsonMapper mapper(boolean strict) {
        JsonFactory factory = JsonFactory.builder()
                .configure(StreamReadFeature.STRICT_DUPLICATE_DETECTION, strict)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .build())
                .build();
        return JsonMapper.builder(factory)
                .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, strict)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .withCoercionConfig(LogicalType.Textual, config -> config.setCoercion(
                                CoercionInputShape.Integer, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
                .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
                .build();
    }

    public static byte[] write(Object message) {
        return STRICT.writeValueAsBytes(message);
    }

    /**
     * Reads a request. Unknown and repeated fields are errors, because a mistyped option must not
     * be ignored.
     *
     * @throws tools.jackson.core.JacksonException if this is not such a message
     */
    public static <T> T readCall(byte[] json, Class<T> type) {
        return STRICT.readValue(json, type);
    }

    /** A field of a request that this kind of message does not have, for a request that cannot be read. */
    public static Optional<UnknownField> unknownField(byte[] json, Class<?> type) {
        try {
            return UnknownField.in(LENIENT.readTree(json), type);
        } catch (JacksonException e) {
            // It is damaged behind the place where reading it ended.
            return Optional.empty();
        }
    }

    /**
     * Reads an answer. Unknown fields are ignored: the server may be newer.
     *
     * @throws tools.jackson.core.JacksonException if this is not such a message
     */
    public static <T> T readAnswer(byte[] json, Class<T> type) {
        return LENIENT.readValue(json, type);
    }
}
