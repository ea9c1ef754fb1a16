package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.spi.CasRegister;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that every register must pass. Extend this class, implement {@link #openRegister}, and run
 * it with JUnit against the real server. Tests use new keys, so the register need not be emptied.
 */
public abstract class CasRegisterContract {
    private static final int RACERS = 6;
    private static final int ROUNDS = 20;

    /** Callers of one client. */
    private static final int CROWD = 16;

    private final String unique = UUID.randomUUID().toString();
    private CasRegister register;

    /**
     * Opens a client of the register under test. Further calls in one test open further clients of
     * the <em>same</em> register.
     */
    protected abstract CasRegister openRegister();

    @BeforeEach
    void openFirstClient() {
        register = openRegister();
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
    void keysAreListedInOrderAndInPages() {
        String prefix = key("list") + "/";
        List<String> expected = new ArrayList<>();
        for (String tail :
                List.of(" ", "-", ".", "/", "0", "10", "2", "B", "Ba", "_", "a", "a b", "a/b", "ab", "b", "~")) {
            expected.add(prefix + tail);
        }
        for (int i = expected.size() - 1; i >= 0; i--) {
            write(expected.get(i), CasRegister.ABSENT, "value");
        }
        write(key("list-other"), CasRegister.ABSENT, "value");
        assertThat(register.keys(prefix, "", 100)).isEqualTo(expected);
        assertThat(register.values(prefix, "", 4)).containsOnlyKeys(expected.subList(0, 4));
        assertThat(register.keys(prefix, "", 3)).isEqualTo(expected.subList(0, 3));
        assertThat(register.keys(prefix, expected.get(2), 4)).isEqualTo(expected.subList(3, 7));
        assertThat(register.keys(prefix + "a", "", 100))
                .containsExactly(prefix + "a", prefix + "a b", prefix + "a/b", prefix + "ab");
        assertThat(register.keys(prefix, expected.get(expected.size() - 1), 100))
                .isEmpty();
        assertThat(register.keys(key("nothing"), "", 100)).isEmpty();
    }

    @Test
    void aPageOfVersionsShowsWhichValuesHaveChanged() {
        String prefix = key("versions") + "/";
        Map<String, String> written = new LinkedHashMap<>();
        List.of("a", "b", "c").forEach(end -> written.put(prefix + end, write(prefix + end, CasRegister.ABSENT, "x")));
        assertThat(register.versions(prefix, prefix + "a", 1)).containsOnlyKeys(prefix + "b");
        written.put(
                prefix + "b", write(prefix + "b", register.read(prefix + "b").version(), "value"));
        assertThat(register.versions(prefix, "", 100)).containsExactlyEntriesOf(written);
    }

    @Test
    void aPageOfReadingsIsWhatReadingEachKeyWouldGive() {
        String prefix = key("readings") + "/";
        Instant before = register.read(prefix + "a").at();
        Map<String, String> values = new LinkedHashMap<>();
        values.put(prefix + "a", "two\nlines \u4f60");
        values.put(prefix + "b", "");
        values.put(prefix + "c", "plain");
        values.put(prefix + "e", "last");
        Map<String, String> versions = new LinkedHashMap<>();
        values.forEach((key, value) -> versions.put(key, write(key, CasRegister.ABSENT, value)));
        assertThat(register.remove(prefix + "d", write(prefix + "d", CasRegister.ABSENT, "removed")))
                .isTrue();
        // By another client as well, which has read none of them.
        for (CasRegister client : List.of(register, openRegister())) {
            Map<String, CasRegister.Reading> page = client.readings(prefix, "", 100);
            assertThat(page.keySet()).containsExactlyElementsOf(values.keySet());
            page.forEach((key, reading) -> {
                assertThat(reading.value()).contains(values.get(key));
                assertThat(reading.version()).isEqualTo(versions.get(key));
                assertThat(reading.at())
                        .isBetween(before, register.read(key).at().plus(Duration.ofSeconds(1)));
            });
            assertThat(client.values(prefix, "", 100)).containsExactlyEntriesOf(values);
        }
        assertThat(register.readings(prefix, prefix + "a", 3))
                .containsOnlyKeys(prefix + "b", prefix + "c", prefix + "e");
        assertThat(register.readings(prefix, prefix + "a", 2)).containsOnlyKeys(prefix + "b", prefix + "c");
        assertThat(register.readings(key("nothing"), "", 100)).isEmpty();
    }

    @Test
    void aPageOfReadingsShowsWhatWasWrittenJustBefore() {
        String prefix = key("fresh") + "/";
        CasRegister other = openRegister();
        String version = write(prefix + "a", CasRegister.ABSENT, "0");
        for (int round = 1; round <= 5; round++) {
            assertThat(other.readings(prefix, "", 100)).hasSize(round);
            Map<String, CasRegister.Reading> first = other.readings(prefix, "", 1);
            assertThat(first).containsOnlyKeys(prefix + "a");
            assertThat(first.values()).extracting(CasRegister.Reading::version).containsExactly(version);
            assertThat(other.compareAndSet(prefix + "a", version, "round " + round))
                    .isTrue();
            version = register.read(prefix + "a").version();
            write(prefix + "b" + round, CasRegister.ABSENT, "new");
        }
    }

    /** A store limits the size of an answer. */
    @Test
    void aPageOfTheLargestValuesIsWhole() {
        String prefix = key("large-page") + "/";
        String filler = "x".repeat(CasRegister.MAX_VALUE_BYTES - 2);
        for (int i = 10; i < 22; i++) {
            write(prefix + i, CasRegister.ABSENT, i + filler);
        }
        assertThat(register.readings(prefix, "", 11)).hasSize(11).allSatisfy((key, reading) -> assertThat(
                        reading.value())
                .contains(key.substring(prefix.length()) + filler));
        assertThat(register.readings(prefix, prefix + 10, 100)).hasSize(11);
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

    @Test
    void oneOfManyCreatorsWins() throws Exception {
        List<CasRegister> clients = List.of(register, openRegister(), openRegister());
        try (Racers racers = new Racers(RACERS)) {
            for (int round = 0; round < ROUNDS; round++) {
                String key = key("race-" + round);
                List<Boolean> won =
                        racers.race(i -> clients.get(i % 3).compareAndSet(key, CasRegister.ABSENT, "racer " + i));
                assertThat(won).containsOnlyOnce(true);
                assertThat(valueOf(key)).isEqualTo("racer " + won.indexOf(true));
            }
        }
    }

    @Test
    void oneOfManyWritersOfOneVersionWins() throws Exception {
        List<CasRegister> clients = List.of(register, openRegister(), openRegister());
        String key = key("race-version");
        write(key, CasRegister.ABSENT, "start");
        try (Racers racers = new Racers(RACERS)) {
            for (int round = 0; round < ROUNDS; round++) {
                String version = register.read(key).version();
                String suffix = " of round " + round;
                List<Boolean> won =
                        racers.race(i -> clients.get(i % 3).compareAndSet(key, version, "racer " + i + suffix));
                assertThat(won).containsOnlyOnce(true);
                assertThat(valueOf(key)).isEqualTo("racer " + won.indexOf(true) + suffix);
            }
        }
    }

    @Test
    void noIncrementIsLost() throws Exception {
        List<CasRegister> clients = List.of(register, openRegister(), openRegister());
        String key = key("counter");
        write(key, CasRegister.ABSENT, "0");
        try (Racers racers = new Racers(RACERS)) {
            racers.race(i -> {
                for (int done = 0; done < ROUNDS; done++) {
                    increment(clients.get(i % 3), key);
                }
                return true;
            });
        }
        assertThat(valueOf(key)).isEqualTo(Integer.toString(RACERS * ROUNDS));
    }

    /** A register may send the writes of its callers together, but each has its own answer. */
    @Test
    void callersOfOneClientDoNotDisturbEachOther() throws Exception {
        String shared = key("crowd");
        write(shared, CasRegister.ABSENT, "0");
        try (Racers racers = new Racers(CROWD)) {
            racers.race(i -> {
                if (i % 4 == 0) {
                    for (int done = 0; done < ROUNDS; done++) {
                        increment(register, shared);
                    }
                } else {
                    writeAndRemove(key("crowd-" + i), "value of " + i);
                }
                return true;
            });
        }
        assertThat(valueOf(shared)).isEqualTo(Integer.toString(CROWD / 4 * ROUNDS));
    }

    /** Nobody else writes this key, so every write must be the caller's own. */
    private void writeAndRemove(String key, String value) {
        String first = write(key, CasRegister.ABSENT, value);
        for (int done = 0; done < ROUNDS; done++) {
            String version = write(key, register.read(key).version(), value + " in round " + done);
            assertThat(register.compareAndSet(key, first, "stale")).isFalse();
            assertThat(register.read(key).version()).isEqualTo(version);
            assertThat(valueOf(key)).isEqualTo(value + " in round " + done);
        }
        if (register.remove(key, register.read(key).version())) {
            assertThat(register.read(key).value()).isEmpty();
        }
    }

    private static void increment(CasRegister client, String key) {
        for (int tries = 0; tries < 100_000; tries++) {
            CasRegister.Reading reading = client.read(key);
            int next = Integer.parseInt(reading.value().orElseThrow()) + 1;
            if (client.compareAndSet(key, reading.version(), Integer.toString(next))) {
                return;
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("100000 lost races in a row: compare-and-set never succeeds");
    }

    private String key(String subject) {
        return subject + "-" + unique;
    }

    private String valueOf(String key) {
        return register.read(key).value().orElseThrow(() -> new AssertionError("no value under " + key));
    }

    /** Writes the value and returns the new version. */
    private String write(String key, String expected, String value) {
        assertThat(register.compareAndSet(key, expected, value))
                .as("write of '%s'", key)
                .isTrue();
        return register.read(key).version();
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
    }
}
