package dev.leasehold.metrics;

import dev.leasehold.internal.Failure;
import dev.leasehold.model.StoreUnavailableException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Measures the calls of a store, by operation and by whether the store answered. */
final class CallTimers {
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(2)
    };

    /** The operations of a store and of its register. */
    enum Operation {
        ACQUIRE,
        INTERVENE,
        RENEW,
        RELEASE,
        ABANDON,
        PROGRESS,
        INSPECT,
        LIST,
        HISTORY,
        FORGET,
        ERASE,
        READ,
        SET,
        REMOVE,
        KEYS,
        VERSIONS,
        VALUES
    }

    private final Map<Operation, Timer> answered = new EnumMap<>(Operation.class);
    private final Map<Operation, Timer> unavailable = new EnumMap<>(Operation.class);
    private final AtomicBoolean failed = new AtomicBoolean();

    CallTimers(MeterRegistry registry) {
        for (Operation operation : Operation.values()) {
            answered.put(operation, timer(registry, operation, "answered"));
            unavailable.put(operation, timer(registry, operation, "unavailable"));
        }
    }

    private static Timer timer(MeterRegistry registry, Operation operation, String outcome) {
        return Timer.builder("leasehold.store.calls")
                .description("Calls of the store, by whether it answered")
                .tag("operation", operation.name().toLowerCase(Locale.ROOT))
                .tag("outcome", outcome)
                // Prometheus allows no series with buckets beside others without.
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    <T> T time(Operation operation, Supplier<T> call) {
        long begun = System.nanoTime();
        Map<Operation, Timer> timers = answered;
        try {
            return call.get();
        } catch (StoreUnavailableException e) {
            timers = unavailable;
            throw e;
        } finally {
            Timer timer = timers.get(operation);
            long took = System.nanoTime() - begun;
            if (timer != null) {
                count(() -> timer.record(took, TimeUnit.NANOSECONDS));
            }
        }
    }

    /** A registry that fails must not hide what the store answered. Only its first failure is logged. */
    @SuppressWarnings("CatchingUnchecked")
    void count(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException | Error e) {
            if (failed.compareAndSet(false, true)) {
                Failure.log("the metrics of the store failed", e);
            }
        }
    }
}
