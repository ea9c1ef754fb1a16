package dev.leasehold.simulator;

import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.ClocklessRegister;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A register without a clock as one process sees it, over the network. */
final class ClocklessClient implements ClocklessRegister {
    private final SimulatedWorld world;
    private final SimulatedProcess process;

    ClocklessClient(SimulatedWorld world, SimulatedProcess process) {
        this.world = world;
        this.process = process;
    }

    @Override
    public Reading read(String key) {
        Reading reading = call(() -> world.store().read(key));
        return new Reading(reading.value(), reading.version(), process.host().wallClock());
    }

    @Override
    public Optional<String> replace(String key, String expected, String value) {
        return call(() -> world.store().replace(key, expected, value));
    }

    @Override
    public boolean remove(String key, String expected) {
        return call(() -> world.store().remove(key, expected));
    }

    @Override
    public List<String> keys(String prefix, String after, int limit) {
        return call(() -> world.store().keys(prefix, after, limit));
    }

    private <T> T call(Supplier<T> request) {
        return world.network()
                .call(process, world.store(), request)
                .orElseThrow(() -> new StoreUnavailableException("no answer from the store; the outcome is unknown"));
    }
}
