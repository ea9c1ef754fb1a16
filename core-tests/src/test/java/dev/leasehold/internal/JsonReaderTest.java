package dev.leasehold.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Our parser accepts what a full JSON library accepts, and nothing else. */
class JsonReaderTest {
    private static final JsonMapper JACKSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final String PAYLOAD =
            """
            {"session_id": "7f9c1c1e", "cwd": "/srv/app", "tool_input": {"file_path": "src/\\u00e4 \ud83d\ude00.txt", "edits": [
              {"old_string": "a\\n\\tb", "new_string": "\\"c\\""}, {}, []], "replace_all": false}, "n": -1.50e+3,
              "none": null, "many": [0, 12, true]}
            """;

    @Test
    void agreesWithAFullLibraryOnDamagedPayloads() {
        Random random = new Random(1);
        for (int i = 0; i < 5_000; i++) {
            String text = damaged(PAYLOAD, random);
            JsonNode theirs = theirs(text);
            Object ours = ours(text);
            assertThat(ours == null).as(text).isEqualTo(theirs == null);
            if (theirs != null) {
                for (String written : List.of(JsonWriter.ascii(ours), JsonWriter.line(ours), JsonWriter.pretty(ours))) {
                    assertThat(JACKSON.readTree(written)).as(text).isEqualTo(theirs);
                }
            }
        }
    }

    private static String damaged(String text, Random random) {
        StringBuilder damaged = new StringBuilder(text);
        int changes = random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(damaged.length());
            char c = "{}[]\",:\\u01e-.tfn \n\u00e4\ud83d".charAt(random.nextInt(21));
            switch (random.nextInt(3)) {
                case 0 -> damaged.deleteCharAt(at);
                case 1 -> damaged.setCharAt(at, c);
                default -> damaged.insert(at, c);
            }
        }
        return damaged.toString();
    }

    private static JsonNode theirs(String text) {
        try {
            JsonNode node = JACKSON.readTree(text);
            return node.isObject() ? node : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private static Object ours(String text) {
        try {
            return JsonReader.object(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @Test
    void deepNestingIsRefusedBeforeTheStackOverflows() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonReader.object("{\"a\":" + "[".repeat(1_000_000)))
                .withMessageContaining("nested too deeply");
    }

    @Test
    void anErrorDoesNotRepeatTheText() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JsonReader.object("{\"a\": secret}"))
                .withMessage("expected a JSON value at position 7");
    }

    @Test
    void limitsAreKept() {
        JsonReader.Limits limits = new JsonReader.Limits(2, 4, 3, false);
        assertThat(JsonReader.read("[[1],\"\ud83d\ude00\"]", limits, Integer::valueOf))
                .isEqualTo(List.of(List.of(1), "\ud83d\ude00"));
        for (String text : List.of("[[[]]]", "[1,2,3,4]", "1234", "\"\\ud83d\"", "{\"\\udc00\":1}", "", "1 2")) {
            assertThatIllegalArgumentException()
                    .as(text)
                    .isThrownBy(() -> JsonReader.read(text, limits, JsonNumber::new));
        }
    }

    @Test
    void textsAreWrittenOnOneLineAndWithoutControlCharacters() {
        String odd = "\u0000\n\u007f\u009f\u2028\ud83d \u00e4\ud83d\ude00";
        assertThat(JsonWriter.line(odd)).isEqualTo("\"\\u0000\\n\\u007f\\u009f\\u2028\\ud83d \u00e4\ud83d\ude00\"");
        assertThat(JsonWriter.ascii(odd)).isASCII();
        assertThat(JsonReader.object("{\"a\":" + JsonWriter.ascii(odd) + "}").get("a"))
                .isEqualTo(odd);
    }
}
