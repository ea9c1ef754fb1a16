package dev.leasehold.testkit;

import org.junit.jupiter.api.Nested;

/**
 * Tests that the ledger must pass on every store. Extend this class, implement {@code openStore},
 * and run it with JUnit against the real server. Like {@link LeaseStoreContract} it uses new names
 * and leaves its records behind.
 */
public abstract class WorkLedgerContract extends StoreContract {
    @Nested
    class Steps extends WorkLedgerStepTests {
        Steps() {
            super(WorkLedgerContract.this);
        }
    }

    @Nested
    class Effects extends WorkLedgerEffectTests {
        Effects() {
            super(WorkLedgerContract.this);
        }
    }

    @Nested
    class Races extends WorkLedgerRaceTests {
        Races() {
            super(WorkLedgerContract.this);
        }
    }
}
