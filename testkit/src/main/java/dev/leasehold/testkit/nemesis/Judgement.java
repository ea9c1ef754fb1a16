package dev.leasehold.testkit.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.nemesis.Said.Word;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the holders said, held against what is in the target. */
final class Judgement {
    /** One line of the target: its place, the token it was written under, and the write's own id. */
    private record Landed(long place, long token, String id) {}

    private final List<Said> said;
    private final List<Landed> landed = new ArrayList<>();

    Judgement(List<Said> said, String content) {
        this.said = said;
        content.lines().forEach(line -> {
            String[] fields = line.split(" ", -1);
            landed.add(new Landed(Long.parseLong(fields[0]), Long.parseLong(fields[1]), fields[2]));
        });
    }

    /** Acknowledged writes that are not there. */
    Set<String> lost() {
        Set<String> missing = new HashSet<>(idsOf(Word.WROTE));
        landed.forEach(write -> missing.remove(write.id));
        return missing;
    }

    void requireNothingLostAndNothingStale() {
        assertThat(said).as("what no fault excuses").noneMatch(each -> each.word() == Word.FAILED);
        assertThat(lost()).as("acknowledged writes that are gone").isEmpty();
        List<String> ids = landed.stream().map(Landed::id).toList();
        assertThat(ids).as("writes that landed").doesNotHaveDuplicates();
        assertThat(ids).as("refused writes").doesNotContainAnyElementsOf(idsOf(Word.STALE));
        assertThat(landed.stream().map(Landed::token).toList())
                .as("tokens in the order of the target")
                .isSorted();
        Map<String, Long> announced = new HashMap<>();
        said.stream()
                .filter(each -> each.word() == Word.WRITING)
                .forEach(each -> announced.put(each.id(), each.token()));
        for (int i = 0; i < landed.size(); i++) {
            assertThat(landed.get(i).place).as("a write knew all before it").isEqualTo(i);
            assertThat(announced).containsEntry(landed.get(i).id, landed.get(i).token);
        }
        requireRisingTokens();
    }

    /** A grant that began after another had ended has the higher token; calls that overlapped may have come in either order. */
    void requireRisingTokens() {
        List<Said> grants = said.stream()
                .filter(each -> each.word() == Word.GRANTED)
                .sorted(Comparator.comparingLong(Said::token))
                .toList();
        long latestBegin = Long.MIN_VALUE;
        long lower = 0;
        for (Said grant : grants) {
            assertThat(grant.token()).as("a token that was issued twice").isGreaterThan(lower);
            assertThat(grant.ended())
                    .as("token %s was granted before a lower one was asked for", grant.token())
                    .isGreaterThan(latestBegin);
            lower = grant.token();
            latestBegin = Math.max(latestBegin, grant.began());
        }
    }

    private List<String> idsOf(Word word) {
        return said.stream().filter(each -> each.word() == word).map(Said::id).toList();
    }
}
