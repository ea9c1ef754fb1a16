package dev.leasehold.testkit;

import org.junit.jupiter.api.Nested;

/**
 * What the ledger must do on every store. Extend it, say how the store is opened, and run it with
 * JUnit against the real server. Like {@link LeaseStoreContract} it uses fresh names and leaves its
 * records behind.
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
