package dev.leasehold.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.CasLeaseStore;
import dev.leasehold.store.MemoryRegister;
import dev.leasehold.testkit.ForwardingLeaseStore;
import dev.leasehold.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
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
        clock.advance(Duration.ofHours(25));
        begin("running");
        assertThat(new Leftovers(store).remove()).singleElement().satisfies(finding -> assertThat(finding.text())
                .contains("removed 2 scratch names"));
        assertThat(store.names("", "", 10))
                .containsExactly(LeaseName.of("job"), LeaseName.of(SCRATCH + "running/race"));
        assertThat(store.register().keys(SCRATCH, "", 10)).containsExactly(SCRATCH + "running/fresh");
        assertThat(store.register().read("work/item").value()).isPresent();
        assertThat(new Leftovers(store).remove()).isEmpty();
    }

    /** In a store without a clock, the time of a lease is that of the host that took it. */
    @Test
    void theClockOfAnotherHostMayBeHoursBehind() {
        begin("running");
        clock.advance(Duration.ofHours(23));
        assertThat(new Leftovers(store).remove()).isEmpty();
        assertThat(store.register().keys(SCRATCH, "", 10)).containsExactly(SCRATCH + "running/fresh");
    }

    @Test
    void anExaminationBehindManyLeftoversIsLeftAloneToo() {
        for (int i = 0; i < 5; i++) {
            begin("killed-" + i);
        }
        clock.advance(Duration.ofHours(25));
        begin("running");
        assertThat(new Leftovers(store, 2).remove()).singleElement().satisfies(finding -> assertThat(finding.text())
                .contains("removed 10 scratch names"));
        assertThat(store.names(SCRATCH, "", 10)).containsExactly(LeaseName.of(SCRATCH + "running/race"));
        assertThat(store.register().keys(SCRATCH, "", 10)).containsExactly(SCRATCH + "running/fresh");
    }

    @Test
    void aFailureIsAWarningAndDoesNotHideWhatWasFound() {
        begin("killed");
        clock.advance(Duration.ofHours(25));
        LeaseStore failing = new ForwardingLeaseStore(store) {
            @Override
            public List<LeaseSnapshot> list(String prefix, String after, int limit) {
                throw new StoreUnavailableException("the server did not answer");
            }
        };
        assertThat(new Leftovers(failing).remove()).singleElement().satisfies(finding -> {
            assertThat(finding.kind()).isEqualTo(Finding.Kind.WARNING);
            assertThat(finding.text()).contains("the server did not answer", "harmless");
        });
    }
}
