package dev.leasehold.cli.leased;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.store.MemoryLeaseStore;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LeasedCommandTest {
    private static final String MARK = "the-command-of-this-test";

    /** Whoever hears of the failure gives the lease back, and the next one must not meet the command. */
    @Test
    void aCommandIsDeadBeforeAFailureOfItsWrapperIsPassedOn() {
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

    private static boolean isOurs(ProcessHandle process) {
        return process.isAlive()
                && Arrays.asList(process.info().arguments().orElse(new String[0]))
                        .contains(MARK);
    }
}
