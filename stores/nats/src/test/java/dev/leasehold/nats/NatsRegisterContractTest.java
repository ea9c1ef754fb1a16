package dev.leasehold.nats;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.testkit.CasRegisterContract;
import dev.leasehold.testkit.environment.Requires;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

@Requires("nats-server")
@ExtendWith(SharedNats.class)
class NatsRegisterContractTest extends CasRegisterContract {
    private final List<NatsRegister> registers = new ArrayList<>();

    @Override
    protected CasRegister openRegister() {
        NatsRegister register = NatsRegister.connect(SharedNats.server().url());
        register.createBucket();
        registers.add(register);
        return register;
    }

    @AfterEach
    void closeRegisters() {
        registers.forEach(NatsRegister::close);
    }
}
