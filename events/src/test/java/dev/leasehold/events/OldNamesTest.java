package dev.leasehold.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.store.CasLeaseStore;
import dev.leasehold.store.MemoryRegister;
import dev.leasehold.store.Observations;
import dev.leasehold.testkit.ManualClock;
import dev.leasehold.testkit.ManualTicker;
import dev.leasehold.testkit.ManualTimers;
import dev.leasehold.testkit.RegisterWithoutClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names in a store without a clock, whose holders died, and a command that looks at them once a day. */
class OldNamesTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration AGE = Duration.ofDays(30);
    private static final Duration DAY = Duration.ofDays(1);

    private final ManualClock clock = new ManualClock();
    private final ManualTicker ticker = new ManualTicker();
    private final MemoryRegister memory = new MemoryRegister(clock);

    @TempDir
    Path notes;

    /** A new process on the same host. */
    private LeaseStore process() {
        Observations observations = new Observations(ticker, clock);
        observations.keepIn(notes, "the clock of this host");
        return CasLeaseStore.over(new RegisterWithoutClock(memory), observations, new ManualTimers(), new SystemIds());
    }

    private void passTime(Duration duration) {
        clock.advance(duration);
        ticker.advance(duration);
    }

    private List<String> forget() {
        List<String> forgotten = new ArrayList<>();
        new OldNames(process(), "", AGE)
                .forget(lease -> forgotten.add(lease.lease().name().value()));
        return forgotten;
    }

    @Test
    void aNameOfARunThatDiedIsForgottenByTheSecondProcessThatLooks() {
        process().acquire(LeaseName.of("died"), AttemptId.of("attempt-1"), Holder.of("host"), TTL);
        passTime(AGE);
        assertThat(forget()).as("29.999 days are not 30 yet").isEmpty();

        passTime(DAY);
        assertThat(forget()).as("nobody has seen it unchanged so far").isEmpty();
        passTime(TTL.dividedBy(2));
        assertThat(forget()).as("its term is not over").isEmpty();

        passTime(TTL);
        assertThat(forget()).containsExactly("died");
        assertThat(process().inspect(LeaseName.of("died"))).isEmpty();
    }

    /** A host keeps a limited number of notes. */
    @Test
    void manyNamesOfRunsThatDiedAreForgottenInAFewDays() {
        LeaseStore holder = process();
        int names = 500;
        for (int i = 0; i < names; i++) {
            holder.acquire(LeaseName.of("died-" + i), AttemptId.of("attempt-" + i), Holder.of("host"), TTL);
        }
        passTime(AGE.plus(DAY));
        int forgotten = 0;
        for (int day = 0; day < 5; day++) {
            forgotten += forget().size();
            passTime(DAY);
        }
        assertThat(forgotten).isEqualTo(names);
    }
}
