package dev.leasehold.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void everyKindOfValueAndNoNulls() {
        Json json = new Json()
                .put("text", "a\"b\\c\n\u00fc\u0000")
                .put("none", (Object) null)
                .put("number", 42L)
                .put("flag", true)
                .put("ttlMs", Duration.ofSeconds(2))
                .put("at", Instant.EPOCH)
                .put("inner", new Json().put("x", 1L))
                .put("list", List.of("a", new Json()))
                .put("counters", Map.of("ran", 3L));

        assertThat(json.toString())
                .isEqualTo("{\"text\":\"a\\\"b\\\\c\\u000a\\u00fc\\u0000\",\"number\":42,\"flag\":true,\"ttlMs\":2000,"
                        + "\"at\":\"1970-01-01T00:00:00Z\",\"inner\":{\"x\":1},\"list\":[\"a\",{}],"
                        + "\"counters\":{\"ran\":3}}");
    }

    @Test
    void columnsAreAlignedWithoutTrailingBlanks() {
        assertThat(new Table("A", "LONGER", "C").row("xxxx", "y", "").lines())
                .containsExactly("A     LONGER  C", "xxxx  y");
    }
}
