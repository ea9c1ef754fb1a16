package dev.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Renewal;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.ManualTicker;
import dev.leasehold.testkit.ManualTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people are told about a lease in a store without a clock. The clocks of the two hosts are right here. */
class ObservedAgesTest {
    private static final LeaseName NAME = LeaseName.of("job");
    private static final Duration TTL = Duration.ofSeconds(90);
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final ManualClock clock = new ManualClock();
    private final ManualTicker ticker = new ManualTicker();
    private final ClocklessMemoryRegister register =
            new ClocklessMemoryRegister(new MemoryRegister(new ManualClock()), clock);
    private final LeaseStore holder = client();
    private final LeaseStore onlooker = client();

    private LeaseStore client() {
        return CasLeaseStore.over(register, new Observations(ticker, clock), new ManualTimers(), new SystemIds());
    }

    private void passTime(Duration duration) {
        ticker.advance(duration);
        clock.advance(duration);
    }

    private LeaseSnapshot seen() {
        return onlooker.inspect(NAME).orElseThrow();
    }

    /** The time of a record stands still during each write, so it falls behind the clocks. */
    @Test
    void holderThatRenewsIsNeverSilentAndOneThatStopsIs() {
        Acquisition answer = holder.acquire(NAME, AttemptId.of("attempt-1"), Holder.of("host"), TTL);
        Grant grant = ((Acquisition.Granted) answer).grant();
        Duration write = Duration.ofSeconds(2);
        register.whileWriting(() -> passTime(write));
        for (int i = 0; i < 100; i++) {
            passTime(TTL.dividedBy(3));
            assertThat(holder.renew(List.of(new RenewRequest(grant, TTL))).get(0))
                    .isInstanceOf(Renewal.Renewed.class);
            assertThat(seen().isSilent()).as("after renewal %d", i).isFalse();
        }
        Instant renewed = seen().readAt();
        passTime(TTL.minus(MOMENT).minus(write));
        assertThat(seen().isSilent()).isFalse();
        passTime(MOMENT);
        assertThat(seen().isSilent()).isTrue();
        assertThat(seen().state()).isEqualTo(LeaseSnapshot.State.HELD);
        assertThat(Duration.between(renewed, seen().readAt())).isEqualTo(TTL.minus(write));
    }
}
