package dev.leasehold.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.model.FencingToken;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WordsTest {
    @Test
    void aLineIsReadAsItWasWritten() {
        Instant at = Instant.parse("2025-06-01T12:00:00.123456Z");
        String line = Words.join(FencingToken.of(7), at, null, 5, "yes", 4, "me oand the rest ");

        Words words = new Words("a line", line);
        assertThat(words.token()).isEqualTo(FencingToken.of(7));
        assertThat(words.instant()).isEqualTo(at);
        assertThat(words.optional(FencingToken::parse)).isNull();
        assertThat(words.smallNumber()).isEqualTo(5);
        assertThat(words.isFirstOf("yes", "no")).isTrue();
        assertThat(words.counted()).isEqualTo("me o");
        assertThat(words.rest()).isEqualTo("and the rest ");
        assertThat(words.left()).isZero();
    }

    @Test
    void theLastPartMayBeEmptyButNotMissing() {
        Words empty = new Words("a line", "word ");
        assertThat(empty.left()).isEqualTo(2);
        assertThat(empty.word()).isEqualTo("word");
        assertThat(empty.rest()).isEmpty();

        Words missing = new Words("a line", "word");
        assertThat(missing.word()).isEqualTo("word");
        assertThatIllegalArgumentException().isThrownBy(missing::rest).withMessage("a line is cut off");
        assertThatIllegalArgumentException().isThrownBy(missing::word).withMessage("a line is cut off");
    }

    @Test
    void malformedLinesAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Words("a line", "x").number());
        assertThatIllegalArgumentException().isThrownBy(() -> new Words("a line", "x").isFirstOf("yes", "no"));
        for (String line : new String[] {"5 four", "-1 four", "0", "x four"}) {
            assertThatIllegalArgumentException().as(line).isThrownBy(() -> new Words("a line", line).counted());
        }
    }
}
