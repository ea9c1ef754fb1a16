package dev.leasehold.server;

import dev.leasehold.client.HttpLeaseStore;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.testkit.CasRegisterContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
class HttpRegisterContractTest extends CasRegisterContract {
    @Override
    protected CasRegister openRegister() {
        return HttpLeaseStore.open(SharedServer.url()).register();
    }
}
