package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.SystemTimers;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.CasLeaseStore;
import dev.leasehold.store.MemoryRegister;
import dev.leasehold.store.Observations;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.ManualTicker;
import dev.leasehold.testkit.RegisterWithoutClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The page over a store without a clock, in which a lease of last night is not known to be over. */
class PageWithoutClockTest extends PageFixture {
    private final ManualClock clock = new ManualClock();
    private final MemoryRegister memory = new MemoryRegister(clock);

    @Override
    LeaseStore createStore() {
        return CasLeaseStore.over(
                new RegisterWithoutClock(memory),
                new Observations(new ManualTicker(), clock),
                new SystemTimers(),
                new SystemIds());
    }

    @Test
    void aHolderThatIsProbablyGoneNeedsAttention() {
        acquire("gone", "web-1", Duration.ofMinutes(1));
        clock.advance(Duration.ofHours(8));
        acquire("busy", "web-2", LONG);
        open("leases");
        page.awaitText(".attention .what", "web-1 has not renewed before its deadline");
        assertThat(page.text(".attention")).contains("silent").doesNotContain("web-2");
        open("timeline");
        page.await("document.querySelectorAll('.lease-row').length === 2");
        assertThat(page.eval("document.querySelector('.lease-row').dataset.name")
                        .asString())
                .isEqualTo("gone");
    }
}
