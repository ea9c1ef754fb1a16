package dev.leasehold.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.CasLeaseStore;
import dev.leasehold.store.MemoryRegister;
import dev.leasehold.testkit.ForwardingLeaseStore;
import dev.leasehold.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeasePagesTest {
    private static final int LEASES = 300;

    private final CasRegister register = new MemoryRegister(new ManualClock());
    private final List<String> damaged = new ArrayList<>();
    private int calls;

    @Test
    void damagedRecordsHideNoOthersAndTakeFewCalls() {
        LeaseStore store = CasLeaseStore.over(register);
        for (int i = 0; i < LEASES; i++) {
            AttemptId attempt = AttemptId.of("attempt-" + i);
            store.acquire(LeaseName.of(name(i)), attempt, Holder.of("holder"), Duration.ofMinutes(1));
        }
        for (int i : new int[] {0, 150, 151, LEASES - 1}) {
            String key = "lease/" + name(i);
            assertThat(register.compareAndSet(key, register.read(key).version(), "rubbish"))
                    .isTrue();
        }
        LeasePages pages = new LeasePages(new Counting(store), damaged::add);
        List<String> found = new ArrayList<>();
        while (pages.hasNext()) {
            pages.next().forEach(lease -> found.add(lease.lease().name().value()));
        }
        assertThat(found).hasSize(LEASES - 4).doesNotHaveDuplicates().isSorted();
        assertThat(damaged)
                .hasSize(4)
                .allMatch(message -> message.contains("is damaged: the record under 'lease/"))
                .anyMatch(message -> message.startsWith("lease " + name(150) + " "));
        assertThat(calls).isLessThan(LEASES / 3);
    }

    private static String name(int number) {
        return "lease-" + (1000 + number);
    }

    private final class Counting extends ForwardingLeaseStore {
        Counting(LeaseStore store) {
            super(store);
        }

        @Override
        public List<LeaseSnapshot> list(String prefix, String after, int limit) {
            calls++;
            return super.list(prefix, after, limit);
        }

        @Override
        public Optional<LeaseSnapshot> inspect(LeaseName name) {
            throw new AssertionError(name + " was inspected");
        }
    }
}
