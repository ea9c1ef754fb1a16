package dev.leasehold.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
    private static final List<String> WORDS = List.of("acquire", "release", "repair", "renew", "run");

    @Test
    void countsLettersAddedDroppedChangedAndSwapped() {
        assertThat(Nearest.distance("", "abc")).isEqualTo(3);
        assertThat(Nearest.distance("run", "run")).isZero();
        assertThat(Nearest.distance("rnu", "run")).isEqualTo(1);
        assertThat(Nearest.distance("aquire", "acquire")).isEqualTo(1);
        assertThat(Nearest.distance("relaese", "release")).isEqualTo(1);
        assertThat(Nearest.distance("renew", "repair")).isEqualTo(4);
    }

    @Test
    void suggestsOnlyTheNearestWord() {
        assertThat(Nearest.suggestion("relase", WORDS, "")).isEqualTo("; did you mean release?");
        assertThat(Nearest.suggestion("acq", WORDS, "")).isEqualTo("; did you mean acquire?");
        assertThat(Nearest.suggestion("xyzzy", WORDS, "")).isEmpty();
        assertThat(Nearest.suggestion("x".repeat(100_000), WORDS, "")).isEmpty();
    }
}
