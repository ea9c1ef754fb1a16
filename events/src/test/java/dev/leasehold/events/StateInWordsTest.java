package dev.leasehold.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StateInWordsTest {
    private static final LeaseName JOB = LeaseName.of("job");
    private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration TERM = Duration.ofSeconds(90);

    private static String words(
            TransferReason reason, boolean released, int deadline, LeaseRecord.Progress progress, int now) {
        return String.join(" ", StateInWords.of(JOB, Optional.of(snapshot(reason, released, deadline, progress, now))));
    }

    private static LeaseSnapshot snapshot(
            TransferReason reason, boolean released, int deadline, LeaseRecord.Progress progress, int now) {
        Transfer owner = new Transfer(
                FencingToken.of(7), AttemptId.of("attempt-1"), Holder.of("me"), reason, Note.of("a reason"), T0);
        LeaseRecord lease = new LeaseRecord(JOB, owner, T0.plusSeconds(deadline), TERM, released, T0, progress);
        return new LeaseSnapshot(lease, T0.plusSeconds(now));
    }

    private static LeaseRecord.Progress progress(int at) {
        return new LeaseRecord.Progress(Note.of("page 3"), Checkpoint.of("p3"), T0.plusSeconds(at));
    }

    @Test
    void aHolderThatMakesProgress() {
        assertThat(words(TransferReason.FIRST, false, 110, progress(20), 30))
                .isEqualTo(
                        "job is held by me (token 7) since 2026-01-01T00:00:00Z (30s ago), last renewed 10s ago, 1m20s"
                                + " left unless it is renewed. Its holder is alive and makes progress: last progress 10s"
                                + " ago, \"page 3\", checkpoint \"p3\".");
    }

    @Test
    void aHolderThatIsAliveButStuck() {
        assertThat(words(TransferReason.FIRST, false, 600, progress(20), 540))
                .contains(
                        "alive but may be stuck: last progress 8m40s ago",
                        "'leasehold cancel job --token 7 --reason stuck'",
                        "leasehold run job --take-over --token 7");
    }

    @Test
    void aHolderThatReportsNothing() {
        assertThat(words(TransferReason.FIRST, false, 600, null, 540)).contains("reports no progress");
    }

    @Test
    void aHolderThatIsGone() {
        assertThat(words(TransferReason.FIRST, false, 90, progress(20), 300))
                .contains("the lease of me (token 7) expired 3m30s ago", "crashed, is frozen, or cannot reach");
    }

    @Test
    void aHolderThatStoppedLongAgoInAStoreWithoutAClockIsNotCalledAlive() {
        LeaseSnapshot seen = snapshot(TransferReason.FIRST, false, 90, null, 0);
        LeaseSnapshot silent = new LeaseSnapshot(seen.lease(), seen.at(), T0.plusSeconds(8 * 3600));
        assertThat(StateInWords.health(silent)).isEqualTo("silent");
        assertThat(String.join(" ", StateInWords.of(JOB, Optional.of(silent))))
                .contains("(8h ago), last renewed 8h ago", "probably gone", "'leasehold run job --wait 3m -- COMMAND'")
                .doesNotContain("alive");
    }

    @Test
    void aliveButStuckIsDistinguishedFromDeadInOneWord() {
        assertThat(StateInWords.health(snapshot(TransferReason.FIRST, false, 110, progress(20), 30)))
                .isEqualTo("working");
        assertThat(StateInWords.health(snapshot(TransferReason.FIRST, false, 600, null, 540)))
                .isEqualTo("alive");
        assertThat(StateInWords.health(snapshot(TransferReason.FIRST, false, 600, progress(20), 540)))
                .isEqualTo("stuck");
        assertThat(StateInWords.health(snapshot(TransferReason.FIRST, false, 90, progress(20), 300)))
                .isEqualTo("dead");
        assertThat(StateInWords.health(snapshot(TransferReason.FIRST, true, 90, null, 300)))
                .isEqualTo("none");
    }

    @Test
    void freeNamesSayWhy() {
        assertThat(words(TransferReason.FIRST, true, 10, null, 60)).contains("released by me (token 7) 1m ago");
        assertThat(words(TransferReason.FIRST, true, 90, null, 60)).contains("stays taken for another 30s");
        assertThat(words(TransferReason.CANCELLED, true, 0, null, 60)).contains("cancelled by me", "\"a reason\"");
        assertThat(words(TransferReason.RECOVERED, true, 0, null, 60)).contains("token was raised", "\"a reason\"");
        assertThat(StateInWords.of(JOB, Optional.empty()))
                .containsExactly("job is free: it was never held in this store.");
    }
}
