package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.internal.SystemTimers;
import dev.leasehold.spi.ClocklessRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.CasLeaseStore;
import dev.leasehold.store.MemoryRegister;
import dev.leasehold.store.Observations;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The page over a store without a clock, in which a lease of last night is not known to be over. */
class PageWithoutClockTest extends PageFixture {
    private final ManualClock clock = new ManualClock();
    private final MemoryRegister memory = new MemoryRegister(clock);

    /** The register in memory, without its clock. */
    private final class Clockless implements ClocklessRegister {
        @Override
        public Reading read(String key) {
            return memory.read(key);
        }

        @Override
        public Optional<String> replace(String key, String expected, String value) {
            return memory.replace(key, expected, value);
        }

        @Override
        public boolean remove(String key, String expected) {
            return memory.remove(key, expected);
        }

        @Override
        public List<String> keys(String prefix, String after, int limit) {
            return memory.keys(prefix, after, limit);
        }
    }

    @Override
    LeaseStore createStore() {
        return CasLeaseStore.over(
                new Clockless(), new Observations(new ManualTicker(), clock), new SystemTimers(), new SystemIds());
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
