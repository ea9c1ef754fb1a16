package dev.leasehold.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leases;
import dev.leasehold.Stores;
import dev.leasehold.model.LeaseSnapshot;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The tests that ShedLock's own providers pass. */
abstract class ProviderSuite extends AbstractExtensibleLockProviderIntegrationTest {
    private Leases leases;

    /** The URL of the store, as a user writes it. */
    abstract String url();

    @BeforeEach
    void openStore() {
        leases = Leases.over(Stores.create(url())).build();
    }

    @AfterEach
    void closeStore() {
        leases.close();
    }

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return new LeaseholdLockProvider(leases);
    }

    @Override
    protected void assertLocked(String lockName) {
        assertThat(isLocked(lockName)).isTrue();
    }

    @Override
    protected void assertUnlocked(String lockName) {
        assertThat(isLocked(lockName)).isFalse();
    }

    private boolean isLocked(String lockName) {
        LeaseSnapshot seen =
                leases.store().inspect(LockNames.leaseName(lockName)).orElseThrow();
        return seen.lease().deadline().isAfter(seen.at());
    }
}
