package dev.leasehold.simulator.soak;

import dev.leasehold.Leases;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.WorkLedger;

/** A separate connection to the store, as another host would have. */
final class SoakClient implements AutoCloseable {
    private final Leases leases;
    private final WorkLedger ledger;

    SoakClient(LeaseStore store, Leases leases) {
        this.leases = leases;
        // With the register itself the ledger does not prune: the state it keeps for pruning could
        // not be removed again.
        this.ledger = WorkLedger.over(store, leases.context().timers()).through(store.register());
    }

    Leases leases() {
        return leases;
    }

    WorkLedger ledger() {
        return ledger;
    }

    LeaseStore store() {
        return leases.store();
    }

    @Override
    public void close() {
        leases.close();
    }
}
