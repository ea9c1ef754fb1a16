package dev.leasehold.simulator;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import java.util.List;
import java.util.function.Supplier;

/** The register as one process sees it, over the network. */
final class RegisterClient implements CasRegister {
    private final SimulatedWorld world;
    private final SimulatedProcess process;

    RegisterClient(SimulatedWorld world, SimulatedProcess process) {
        this.world = world;
        this.process = process;
    }

    @Override
    public Reading read(String key) {
        return call(key, () -> world.store().read(key));
    }

    @Override
    public boolean compareAndSet(String key, String expected, String value) {
        return call(key, () -> world.store().compareAndSet(key, expected, value));
    }

    @Override
    public boolean remove(String key, String expected) {
        return call(key, () -> world.store().remove(key, expected));
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return call(prefix, () -> world.store().keys(prefix, after, limit));
    }

    private <T> T call(String key, Supplier<T> request) {
        return world.network()
                .call(process, world.store().serverFor(key), request)
                .orElseThrow(() -> new StoreUnavailableException("no answer from the store; the outcome is unknown"));
    }
}
