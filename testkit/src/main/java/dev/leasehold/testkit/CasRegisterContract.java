package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.spi.CasRegister;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Tests that every register must pass. Extend this class, implement {@link #openRegister}, and run
 * it with JUnit against the real server. Tests use new keys, so the register need not be emptied.
 */
public abstract class CasRegisterContract extends RegisterFixture {
    private static final int ROUNDS = 20;

    @Nested
    class Lists extends RegisterListTests {
        Lists() {
            super(CasRegisterContract.this);
        }
    }

    @Nested
    class Races extends RegisterRaceTests {
        Races() {
            super(CasRegisterContract.this);
        }
    }

    @Test
    void keyThatWasNeverWrittenIsAbsent() {
        CasRegister.Reading reading = register.read(key("absent"));
        assertThat(reading.value()).isEmpty();
        assertThat(reading.version()).isEqualTo(CasRegister.ABSENT);
    }

    @Test
    void keyIsCreatedOnlyOnce() {
        String key = key("once");
        assertThat(register.compareAndSet(key, CasRegister.ABSENT, "first")).isTrue();
        assertThat(register.compareAndSet(key, CasRegister.ABSENT, "second")).isFalse();
        assertThat(valueOf(key)).isEqualTo("first");
        assertThat(register.read(key).version()).isNotEqualTo(CasRegister.ABSENT);
    }

    @Test
    void staleVersionChangesNothing() {
        String key = key("stale");
        String first = write(key, CasRegister.ABSENT, "one");
        String second = write(key, first, "two");
        assertThat(register.compareAndSet(key, first, "lost update")).isFalse();
        assertThat(register.compareAndSet(key, CasRegister.ABSENT, "lost update"))
                .isFalse();
        assertThat(register.compareAndSet(key, second + "0", "no such version")).isFalse();
        assertThat(valueOf(key)).isEqualTo("two");
        assertThat(register.read(key).version()).isEqualTo(second);
    }

    @Test
    void versionOfAnAbsentKeyCannotBeGuessed() {
        String key = key("guess");
        assertThat(register.compareAndSet(key, "1", "guessed")).isFalse();
        assertThat(register.read(key).value()).isEmpty();
    }

    @Test
    void sameValueWrittenAgainIsANewVersion() {
        String key = key("aba");
        Set<String> versions = new HashSet<>();
        String version = CasRegister.ABSENT;
        versions.add(version);
        for (String value : List.of("a", "b", "a", "a", "b", "a")) {
            version = write(key, version, value);
            assertThat(versions.add(version))
                    .as("version %s came back", version)
                    .isTrue();
        }
    }

    @Test
    void removedKeyIsAbsentAndItsVersionsNeverComeBack() {
        String key = key("removed");
        String first = write(key, CasRegister.ABSENT, "a");
        String second = write(key, first, "b");
        assertThat(register.remove(key, first)).as("by a stale version").isFalse();
        assertThat(valueOf(key)).isEqualTo("b");
        assertThat(register.remove(key, second)).isTrue();
        assertThat(register.read(key).value()).isEmpty();
        assertThat(register.keys(key, "", 10)).isEmpty();
        assertThat(register.remove(key, second)).as("twice").isFalse();
        String again = write(key, CasRegister.ABSENT, "c");
        assertThat(again).isNotIn(first, second);
        assertThat(register.compareAndSet(key, second, "from before")).isFalse();
    }

    /**
     * The key is created and removed faster than a clock ticks. A client that read an earlier
     * version of the key must not change a later one.
     */
    @Test
    void versionsOfARecreatedKeyNeverRepeat() {
        String key = key("lives");
        Set<String> versions = new HashSet<>();
        for (int life = 0; life < ROUNDS; life++) {
            String version = CasRegister.ABSENT;
            for (String value : List.of("a", "b", "a").subList(0, 1 + life % 3)) {
                version = write(key, version, value);
                assertThat(versions.add(version))
                        .as("version %s came back after %d removals", version, life)
                        .isTrue();
            }
            assertThat(register.remove(key, version)).isTrue();
        }
        write(key, CasRegister.ABSENT, "last");
        for (String old : versions) {
            assertThat(register.compareAndSet(key, old, "by " + old)).isFalse();
            assertThat(register.remove(key, old)).isFalse();
        }
        assertThat(valueOf(key)).isEqualTo("last");
    }

    @Test
    void readingTwiceDoesNotChangeTheVersion() {
        String key = key("read");
        String version = write(key, CasRegister.ABSENT, "value");
        assertThat(register.read(key).version()).isEqualTo(version);
        register.keys(key, "", 10);
        assertThat(register.read(key).version()).isEqualTo(version);
    }

    @Test
    void clientsSeeEachOther() {
        String key = key("clients");
        CasRegister other = openRegister();
        assertThat(other.read(key).value()).isEmpty();
        String first = write(key, CasRegister.ABSENT, "one");
        assertThat(other.read(key).version()).isEqualTo(first);
        assertThat(other.compareAndSet(key, first, "two")).isTrue();
        assertThat(register.compareAndSet(key, first, "three")).isFalse();
        assertThat(valueOf(key)).isEqualTo("two");
        assertThat(openRegister().read(key).value()).contains("two");
    }

    /** Stores that build on a register use this time, also for the first value of a key. */
    @Test
    void readingOfAnAbsentKeyContainsTheTime() {
        String key = key("time");
        CasRegister.Reading absent = register.read(key);
        write(key, CasRegister.ABSENT, "value");
        CasRegister.Reading present = register.read(key);
        assertThat(Duration.between(absent.at(), present.at()))
                .isBetween(Duration.ofMinutes(-1), Duration.ofMinutes(1));
    }

    @Test
    void timeOfReadingsDoesNotRunBackwards() {
        String key = key("time-order");
        write(key, CasRegister.ABSENT, "value");
        CasRegister.Reading before = register.read(key);
        for (int i = 0; i < ROUNDS; i++) {
            CasRegister.Reading after = register.read(key);
            assertThat(after.at()).isAfterOrEqualTo(before.at());
            before = after;
        }
    }

    @Test
    void unusualValuesComeBackUnchanged() {
        List<String> values = List.of(
                "",
                "\n",
                "two\nlines\n",
                "\r\n",
                "\t tab ",
                " leading and trailing ",
                "caf\u00e9 \u4f60\u597d \ud83d\ude00",
                "a\\nb",
                "key=value",
                "'; drop table x; --",
                "%00",
                "\u0001\u007f");
        String key = key("values");
        String version = CasRegister.ABSENT;
        for (String value : values) {
            version = write(key, version, value);
            assertThat(valueOf(key)).isEqualTo(value);
        }
    }

    @Test
    void unusualKeysDoNotCollide() {
        List<String> keys = new ArrayList<>();
        for (String odd : List.of(
                "/", "//", ".", "..", "../..", " ", "  ", "%", "%2f", "\\", "'", "\"", "*", "?", "A", "a", "~",
                "{x}")) {
            keys.add(odd + key("odd"));
            keys.add(key("odd") + odd);
        }
        String longest = key("odd") + "/";
        longest += "k".repeat(CasRegister.MAX_KEY_LENGTH - 1 - longest.length());
        keys.addAll(List.of(longest + "a", longest + "b", longest + "A", longest));
        for (String key : keys) {
            write(key, CasRegister.ABSENT, "value of " + key);
        }
        for (String key : keys) {
            assertThat(valueOf(key)).isEqualTo("value of " + key);
            assertThat(register.keys(key, "", 1))
                    .as("keys that begin with '%s'", key)
                    .containsExactly(key);
        }
    }

    @Test
    void largestValueIsKeptAndALargerOneIsRefusedWithoutAnyChange() {
        String key = key("large");
        String largest = "x".repeat(CasRegister.MAX_VALUE_BYTES);
        String version = write(key, CasRegister.ABSENT, largest);
        assertThat(valueOf(key)).isEqualTo(largest);
        assertRefused(() -> register.compareAndSet(key, version, largest + "x"));
        // Bytes count, not characters.
        assertRefused(() -> register.compareAndSet(key, version, "\u4f60".repeat(CasRegister.MAX_VALUE_BYTES / 3 + 1)));
        assertThat(register.read(key).version()).isEqualTo(version);
        String fresh = key("large-fresh");
        assertRefused(() -> register.compareAndSet(fresh, CasRegister.ABSENT, largest + "x"));
        assertThat(register.read(fresh).value()).isEmpty();
        assertThat(register.keys(fresh, "", 1)).isEmpty();
    }

    @Test
    void keysOutsideTheLimitsAreRefused() {
        String tooLong = "k".repeat(CasRegister.MAX_KEY_LENGTH + 1);
        for (String bad : List.of("", tooLong, "new\nline", "nul\u0000", "caf\u00e9")) {
            assertRefused(() -> register.read(bad));
            assertRefused(() -> register.compareAndSet(bad, CasRegister.ABSENT, "value"));
        }
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    }
}
