package dev.leasehold.shedlock;

/** ShedLock's suite on a store in memory. */
class MemoryProviderTest extends ProviderSuite {

    @Override
    String url() {
        return "memory:";
    }
}
