package dev.leasehold.store;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.testkit.CasRegisterContract;
import dev.leasehold.testkit.ManualClock;

class MemoryRegisterContractTest extends CasRegisterContract {
    private final MemoryRegister register = new MemoryRegister(new ManualClock());

    @Override
    protected CasRegister openRegister() {
        return register;
    }
}
