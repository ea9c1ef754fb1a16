package dev.leasehold.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FactsTest {
    /** In a store without a clock, store time stands still until somebody observes the record. */
    @Test
    void agesCountByTheTimeOfDayAndAHolderThatIsGoneIsNotCalledAlive() {
        Instant begun = Instant.parse("2026-11-18T22:00:00Z");
        Duration ttl = Duration.ofSeconds(90);
        Transfer owner = new Transfer(
                FencingToken.of(7), AttemptId.of("attempt-1"), Holder.of("me"), TransferReason.FIRST, null, begun);
        LeaseRecord lease = new LeaseRecord(LeaseName.of("job"), owner, begun.plus(ttl), ttl, false, begun, null);
        LeaseSnapshot seen = new LeaseSnapshot(lease, begun, begun.plus(Duration.ofHours(8)));
        assertThat(Facts.lease(seen))
                .containsEntry("held_for_ms", Duration.ofHours(8).toMillis());
        assertThat(Facts.words("job", seen))
                .contains("for 8h.", "its holder is probably gone", "unchanged for 1m30s")
                .doesNotContain("unless it is renewed");
    }
}
