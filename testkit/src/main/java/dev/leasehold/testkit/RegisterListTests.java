package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.CasRegister;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lists of keys, versions and readings. Part of {@link CasRegisterContract}. */
abstract class RegisterListTests extends RegisterFixture {
    private final RegisterFixture contract;

    RegisterListTests(RegisterFixture contract) {
        this.contract = contract;
    }

    @Override
    protected CasRegister openRegister() {
        return contract.openRegister();
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
}
