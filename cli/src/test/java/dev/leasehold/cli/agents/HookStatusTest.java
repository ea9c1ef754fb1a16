package dev.leasehold.cli.agents;

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

class HookStatusTest {
    /** In a store without a clock, store time stands still until somebody observes the record. */
    @Test
    void ageOfAnEditCountsByTheTimeOfDay() {
        Instant begun = Instant.parse("2026-11-18T22:00:00Z");
        Duration ttl = Duration.ofMinutes(10);
        Transfer owner = new Transfer(
                FencingToken.of(7), AttemptId.of("attempt-1"), Holder.of("claude"), TransferReason.FIRST, null, begun);
        LeaseRecord lease =
                new LeaseRecord(LeaseName.of("edit/a.txt"), owner, begun.plus(ttl), ttl, false, begun, null);
        assertThat(HookStatus.words(new LeaseSnapshot(lease, begun, begun.plus(Duration.ofMinutes(4)))))
                .isEqualTo("edit/a.txt: edited by claude since 4m, 10m left unless renewed");
        assertThat(HookStatus.words(new LeaseSnapshot(lease, begun, begun.plus(Duration.ofHours(8)))))
                .contains("since 8h", "probably gone");
    }
}
