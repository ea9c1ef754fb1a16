package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.CasLeaseStore;
import dev.leasehold.store.MemoryRegister;
import dev.leasehold.testkit.ManualClock;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** An examination that is killed leaves names behind. */
class LeftoversTest {
    private static final String SCRATCH = LeaseStore.SCRATCH_PREFIX;

    private final ManualClock clock = new ManualClock();
    private final LeaseStore store = CasLeaseStore.over(new MemoryRegister(clock));

    private void begin(String examination) {
        acquire(SCRATCH + examination + "/race");
        store.register().compareAndSet(SCRATCH + examination + "/fresh", CasRegister.ABSENT, "value");
    }

    private void acquire(String name) {
        AttemptId attempt = AttemptId.of(UUID.randomUUID().toString());
        store.acquire(LeaseName.of(name), attempt, Holder.of("doctor"), Duration.ofMinutes(1));
    }

    @Test
    void whatAKilledExaminationLeftIsRemovedAndOneUnderWayIsLeftAlone() {
        acquire("job");
        store.register().compareAndSet("work/item", CasRegister.ABSENT, "value");
        begin("killed");
        clock.advance(Duration.ofHours(2));
        begin("running");
        assertThat(new Leftovers(store).remove()).singleElement().satisfies(finding -> assertThat(finding.text())
                .contains("removed 2 scratch names"));
        assertThat(store.names("", "", 10))
                .containsExactly(LeaseName.of("job"), LeaseName.of(SCRATCH + "running/race"));
        assertThat(store.register().keys(SCRATCH, "", 10)).containsExactly(SCRATCH + "running/fresh");
        assertThat(store.register().read("work/item").value()).isPresent();
        assertThat(new Leftovers(store).remove()).isEmpty();
    }
}
