package dev.leasehold.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Our parser accepts what a full JSON library accepts, and nothing else. */
class AgentJsonTest {
    private static final JsonMapper JACKSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final String[] PAYLOADS = {
        "claude-pre-edit", "codex-pre-apply-patch", "copilot-pre-edit", "gemini-after-write-failed"
    };

    @Test
    void agreesWithAFullLibraryOnDamagedPayloads() {
        Random random = new Random(1);
        for (int i = 0; i < 5_000; i++) {
            String text = damaged(AgentDialectTest.text(PAYLOADS[i % PAYLOADS.length]), random);
            JsonNode theirs = theirs(text);
            Object ours = ours(text);
            assertThat(ours == null).as(text).isEqualTo(theirs == null);
            if (theirs != null) {
                assertThat(JACKSON.readTree(AgentJson.format(ours))).as(text).isEqualTo(theirs);
                assertThat(JACKSON.readTree(AgentJson.pretty(ours))).as(text).isEqualTo(theirs);
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
            return AgentJson.object(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @Test
    void deepNestingIsRefusedBeforeTheStackOverflows() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AgentJson.object("{\"a\":" + "[".repeat(1_000_000)))
                .withMessageContaining("nested too deeply");
    }

    @Test
    void anErrorDoesNotRepeatTheText() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AgentJson.object("{\"a\": secret}"))
                .withMessage("expected a JSON value at position 7");
    }
}
