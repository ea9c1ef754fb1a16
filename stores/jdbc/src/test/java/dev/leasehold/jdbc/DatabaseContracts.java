package dev.leasehold.jdbc;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.testkit.CasRegisterContract;
import dev.leasehold.testkit.LeaseStoreContract;
import dev.leasehold.testkit.WorkLedgerContract;
import dev.leasehold.testkit.history.LinearizabilityContract;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** Everything that must hold on a database before it is called supported. */
abstract class DatabaseContracts {
    private final TestServer server;

    DatabaseContracts(TestServer server) {
        this.server = server;
    }

    @Nested
    class Leases extends LeaseStoreContract {
        @Override
        protected LeaseStore openStore() {
            return server.openStore();
        }
    }

    @Nested
    class Histories extends LinearizabilityContract {
        @Override
        protected LeaseStore openStore() {
            return server.openStore();
        }
    }

    @Nested
    class Work extends WorkLedgerContract {
        @Override
        protected LeaseStore openStore() {
            return server.openStore();
        }
    }

    @Nested
    class Registers extends CasRegisterContract {
        private final List<LeaseStore> opened = new ArrayList<>();

        @Override
        protected CasRegister openRegister() {
            LeaseStore store = server.openStore();
            opened.add(store);
            return store.register();
        }

        @AfterEach
        void closeStores() {
            opened.forEach(LeaseStore::close);
        }
    }

    @Nested
    class Fences extends SqlFenceContract {
        @Override
        DataSource dataSource() {
            return server.dataSource();
        }
    }
}
