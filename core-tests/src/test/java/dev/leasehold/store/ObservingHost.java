package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.ManualTicker;
import dev.leasehold.testkit.ManualTimers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** A computer with its own clocks, and a client on it of a store that has none. */
final class ObservingHost {
    static final LeaseName NAME = LeaseName.of("job");
    static final Duration TTL = Duration.ofSeconds(90);

    final ManualTicker ticker = new ManualTicker();
    final ManualClock clock = new ManualClock();
    final ClocklessMemoryRegister register;
    LeaseStore store;

    ObservingHost(MemoryRegister memory) {
        register = new ClocklessMemoryRegister(memory, clock);
        store = client(new Observations(ticker, clock));
    }

    private LeaseStore client(Observations observations) {
        return CasLeaseStore.over(register, observations, new ManualTimers(), new SystemIds());
    }

    /** The next command on this host is a new process. */
    void startAgain(Path notes) {
        Observations observations = new Observations(ticker, clock);
        observations.keepIn(notes);
        store = client(observations);
    }

    Acquisition acquire() {
        AttemptId attempt = AttemptId.of(UUID.randomUUID().toString());
        return store.acquire(NAME, attempt, Holder.of("host"), TTL);
    }

    Grant granted() {
        Acquisition answer = acquire();
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        return ((Acquisition.Granted) answer).grant();
    }

    void assertBusy() {
        assertThat(acquire()).isInstanceOf(Acquisition.Busy.class);
    }

    void renew(Grant grant) {
        assertThat(store.renew(List.of(new RenewRequest(grant, TTL))).get(0)).isInstanceOf(Renewal.Renewed.class);
    }

    /** Other names than {@link #NAME}. */
    void holdOthers(int count) {
        for (int i = 0; i < count; i++) {
            AttemptId attempt = AttemptId.of("attempt-" + i);
            store.acquire(LeaseName.of("other-" + i), attempt, Holder.of("host"), TTL);
        }
    }
}
