package dev.leasehold.testkit;

import dev.leasehold.spi.CasRegister;
import dev.leasehold.store.MemoryRegister;

class MemoryRegisterContractTest extends CasRegisterContract {
    private final MemoryRegister register = new MemoryRegister(new ManualClock());

    @Override
    protected CasRegister openRegister() {
        return register;
    }
}
