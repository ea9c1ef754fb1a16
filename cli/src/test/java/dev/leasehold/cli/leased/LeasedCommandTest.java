package dev.leasehold.cli.leased;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.store.MemoryLeaseStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LeasedCommandTest {
    private static final String MARK = "the-command-of-this-test";

    /** The caller releases the lease after the failure, so the command must be dead by then. */
    @Test
    void aCommandIsDeadBeforeAFailureOfItsWrapperIsThrown() {
        LeasedCommand command = new LeasedCommand(List.of("bash", "-c", "sleep 50", MARK), null, null, false);
        CommandHandle handle = new CommandHandle();
        handle.signal("not a signal");
        try (Leases leases = Leases.over(new MemoryLeaseStore()).build();
                Lease lease = leases.tryAcquire("name").lease().orElseThrow()) {

            assertThatThrownBy(() -> command.run(lease, Map.of(), handle)).hasMessageContaining("not a signal");

            assertThat(ProcessHandle.current().descendants().filter(LeasedCommandTest::isOurs))
                    .isEmpty();
        }
    }

    @Test
    void aLateRenewalCausesAWarning() {
        LeaseTerms terms = LeaseTerms.ofTtl(Duration.ofSeconds(100));
        LeaseName name = LeaseName.of("job");
        assertThat(CommandHandle.lateRenewal(name, terms, Duration.ofSeconds(72)))
                .isNull();
        assertThat(CommandHandle.lateRenewal(name, terms, Duration.ofSeconds(73)))
                .isEqualTo("warning: the renewal of job came after 1m13s of the trusted 1m30s; raise the ttl");
    }

    private static boolean isOurs(ProcessHandle process) {
        return process.isAlive()
                && Arrays.asList(process.info().arguments().orElse(new String[0]))
                        .contains(MARK);
    }
}
