package dev.leasehold.etcd;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.testkit.CasRegisterContract;
import dev.leasehold.testkit.environment.Requires;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

@Requires("etcd")
@ExtendWith(SharedEtcd.class)
class EtcdRegisterContractTest extends CasRegisterContract {
    private final List<EtcdRegister> registers = new ArrayList<>();

    @Override
    protected CasRegister openRegister() {
        registers.add(new EtcdRegister(EtcdClient.connect(SharedEtcd.server().url())));
        return registers.get(registers.size() - 1);
    }

    @AfterEach
    void closeRegisters() {
        registers.forEach(EtcdRegister::close);
    }
}
