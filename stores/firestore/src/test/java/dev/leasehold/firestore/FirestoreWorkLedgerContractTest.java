package dev.leasehold.firestore;

import dev.leasehold.Stores;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.WorkLedgerContract;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import org.junit.jupiter.api.extension.ExtendWith;

@Requires(InstalledProgram.FIRESTORE)
@ExtendWith(SharedFirestore.class)
class FirestoreWorkLedgerContractTest extends WorkLedgerContract {
    @Override
    protected LeaseStore openStore() {
        return Stores.create(SharedFirestore.url("ledger"));
    }
}
