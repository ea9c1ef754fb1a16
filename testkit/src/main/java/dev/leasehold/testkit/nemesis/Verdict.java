package dev.leasehold.testkit.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.nemesis.HolderReport.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares the reports of the holders with the content of the target. */
final class Verdict {
    /** One line of the target: its place, the token of the write and its id. */
    private record Landed(long place, long token, String id) {}

    private final List<HolderReport> reports;
    private final List<Landed> landed = new ArrayList<>();

    Verdict(List<HolderReport> reports, String content) {
        this.reports = reports;
        content.lines().forEach(line -> {
            String[] fields = line.split(" ", -1);
            landed.add(new Landed(Long.parseLong(fields[0]), Long.parseLong(fields[1]), fields[2]));
        });
    }

    /** Acknowledged writes that are missing. */
    Set<String> lost() {
        Set<String> missing = new HashSet<>(idsOf(Kind.WROTE));
        landed.forEach(write -> missing.remove(write.id));
        return missing;
    }

    void requireNothingLostAndNothingStale() {
        assertThat(reports).as("errors that no fault explains").noneMatch(each -> each.kind() == Kind.FAILED);
        assertThat(lost()).as("acknowledged writes that are missing").isEmpty();
        List<String> ids = landed.stream().map(Landed::id).toList();
        assertThat(ids).as("writes that landed").doesNotHaveDuplicates();
        assertThat(idsOf(Kind.STALE)).as("refused writes").noneMatch(ids::contains);
        assertThat(landed.stream().map(Landed::token).toList())
                .as("tokens in the order of the target")
                .isSorted();
        Map<String, Long> announced = new HashMap<>();
        reports.stream()
                .filter(each -> each.kind() == Kind.WRITING)
                .forEach(each -> announced.put(each.id(), each.token()));
        for (int i = 0; i < landed.size(); i++) {
            assertThat(landed.get(i).place)
                    .as("a write contains all earlier ones")
                    .isEqualTo(i);
            assertThat(announced).containsEntry(landed.get(i).id, landed.get(i).token);
        }
        requireRisingTokens();
    }

    /**
     * A grant that began after another had ended has the higher token; calls that overlapped may
     * have happened in either order.
     */
    void requireRisingTokens() {
        List<HolderReport> grants = reports.stream()
                .filter(each -> each.kind() == Kind.GRANTED)
                .sorted(Comparator.comparingLong(HolderReport::token))
                .toList();
        long latestBegin = Long.MIN_VALUE;
        long lower = 0;
        for (HolderReport grant : grants) {
            assertThat(grant.token()).as("a token that was issued twice").isGreaterThan(lower);
            assertThat(grant.ended())
                    .as("token %s was granted before a lower one was requested", grant.token())
                    .isGreaterThan(latestBegin);
            lower = grant.token();
            latestBegin = Math.max(latestBegin, grant.began());
        }
    }

    private List<String> idsOf(Kind kind) {
        return reports.stream()
                .filter(each -> each.kind() == kind)
                .map(HolderReport::id)
                .toList();
    }
}
