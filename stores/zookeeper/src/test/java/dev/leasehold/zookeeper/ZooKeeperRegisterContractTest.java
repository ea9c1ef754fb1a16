package dev.leasehold.zookeeper;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.testkit.CasRegisterContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedZooKeeper.class)
class ZooKeeperRegisterContractTest extends CasRegisterContract {
    private final List<ZooKeeperRegister> registers = new ArrayList<>();

    @Override
    protected CasRegister openRegister() {
        ZooKeeperRegister register =
                ZooKeeperRegister.connect(SharedZooKeeper.server().url());
        register.createRoot();
        registers.add(register);
        return register;
    }

    @AfterEach
    void closeRegisters() {
        registers.forEach(ZooKeeperRegister::close);
    }
}
