package dev.leasehold.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Valid input with every simple damage: each bit flipped, each truncation, each line doubled or
 * missing.
 */
class FuzzTargetsTest {
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    static List<FuzzTarget> targets() {
        return FuzzTargets.ALL;
    }

    @ParameterizedTest
    @MethodSource("targets")
    void validInputIsAccepted(FuzzTarget target) {
        for (String seed : target.seeds()) {
            assertThat(target.feed(seed)).as(target.name() + " accepts " + seed).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("targets")
    void damagedInputIsAcceptedOrRejected(FuzzTarget target) {
        for (String seed : target.seeds()) {
            byte[] whole = seed.getBytes(StandardCharsets.UTF_8);
            for (int at = 0; at < whole.length; at++) {
                feed(target, Arrays.copyOf(whole, at));
                for (int bit = 0; bit < 8; bit++) {
                    byte[] flipped = whole.clone();
                    flipped[at] ^= (byte) (1 << bit);
                    feed(target, flipped);
                }
            }
            for (String changed : linesChanged(seed)) {
                feed(target, changed.getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /** Each input is timed, so that a hang names its input. */
    private static void feed(FuzzTarget target, byte[] input) {
        long began = System.nanoTime();
        target.feed(input);
        assertThat(System.nanoTime() - began)
                .as(target.name() + " took for " + new String(input, StandardCharsets.UTF_8))
                .isLessThan(PATIENCE_NANOS);
    }

    private static List<String> linesChanged(String seed) {
        List<String> lines = List.of(seed.split("(?<=\n)", -1));
        List<String> changed = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            List<String> doubled = new ArrayList<>(lines);
            doubled.add(i, lines.get(i));
            changed.add(String.join("", doubled));
            List<String> without = new ArrayList<>(lines);
            without.remove(i);
            changed.add(String.join("", without));
            List<String> swapped = new ArrayList<>(lines);
            swapped.add(0, swapped.remove(i));
            changed.add(String.join("", swapped));
        }
        changed.add(seed.repeat(100));
        return changed;
    }
}
