package dev.leasehold.durableobjects;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.testkit.CasRegisterContract;
import dev.leasehold.testkit.environment.InstalledProgram;
import dev.leasehold.testkit.environment.Requires;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

@Requires(InstalledProgram.WORKERD)
@ExtendWith(SharedWorkerd.class)
class DurableObjectsRegisterContractTest extends CasRegisterContract {
    private final List<DurableObjectsRegister> registers = new ArrayList<>();

    @Override
    protected CasRegister openRegister() {
        registers.add(new DurableObjectsRegister(DurableObjectsClient.connect(SharedWorkerd.url("register"))));
        return registers.get(registers.size() - 1);
    }

    @AfterEach
    void closeRegisters() {
        registers.forEach(DurableObjectsRegister::close);
    }
}
