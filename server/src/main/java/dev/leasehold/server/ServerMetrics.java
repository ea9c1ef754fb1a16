package dev.leasehold.server;

import dev.leasehold.client.message.ProblemType;
import dev.leasehold.internal.Failure;
import dev.leasehold.metrics.MeteredStore;
import dev.leasehold.metrics.StoreMetrics;
import dev.leasehold.spi.LeaseStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of this server. Nothing that a client chooses becomes a label: a client could make as many
 * series as it likes.
 */
final class ServerMetrics implements AutoCloseable {
    /** The call of a request that leads to none. */
    static final String UNKNOWN = "unknown";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MeteredStore store;
    private final StoreMetrics jobs;
    private final Map<Kind, Timer> requests = new ConcurrentHashMap<>();
    private final AtomicBoolean failed = new AtomicBoolean();
    private @Nullable JvmGcMetrics collections;

    /** The requests that are counted together. */
    private record Kind(String call, int status) {}

    /** @param jobNames whether the names of jobs become labels */
    ServerMetrics(LeaseStore store, boolean jobNames) {
        this.store = MeteredStore.counting(store, registry);
        // Its own reading is not what clients wait for.
        this.jobs = jobNames
                ? StoreMetrics.withNames(registry, store.register())
                : StoreMetrics.on(registry, store.register());
    }

    /** The store, which counts its calls. */
    LeaseStore store() {
        return store;
    }

    void show(EventStreams streams) {
        Gauge.builder("leasehold.server.listening", streams, EventStreams::size)
                .description("Clients that listen to events")
                .strongReference(true)
                .register(registry);
    }

    void show(WaitingRoom waiting) {
        Gauge.builder("leasehold.server.waiting", waiting, WaitingRoom::size)
                .description("Clients that wait for a lease")
                .strongReference(true)
                .register(registry);
    }

    /** Counts an answer. Never throws: the client has to get it. */
    void answered(String call, Answer answer, long nanos) {
        count(call, answer.status(), nanos, () -> {
            if (answer.is(ProblemType.BUSY)) {
                store.countBusy();
            } else if (answer.is(ProblemType.STALE) && guardsWork(call)) {
                store.countRefusal();
            }
        });
    }

    /** Counts an answer that goes on for a long time, at its beginning. Never throws either. */
    void answering(String call, int status, long nanos) {
        count(call, status, nanos, () -> {});
    }

    @SuppressWarnings("CatchingUnchecked")
    private void count(String call, int status, long nanos, Runnable more) {
        try {
            requests.computeIfAbsent(new Kind(call, status), this::timer).record(nanos, TimeUnit.NANOSECONDS);
            more.run();
        } catch (RuntimeException | Error e) {
            if (failed.compareAndSet(false, true)) {
                Failure.log("the metrics of the server failed", e);
            }
        }
    }

    private Timer timer(Kind kind) {
        return Timer.builder("leasehold.server.requests")
                .description("Requests by call and status, with the time that they waited for a lease")
                .tag("call", kind.call)
                .tag("status", Integer.toString(kind.status))
                .register(registry);
    }

    /** Elsewhere a stale grant is a holder that comes late, and no write that was refused. */
    private static boolean guardsWork(String call) {
        return call.startsWith("/v1/fences/") || call.startsWith("/v1/work/") || call.startsWith("/v1/once/");
    }

    /** What Prometheus reads. Takes little longer than a second even if the store does not answer. */
    String scrape() {
        showMachine();
        jobs.refresh();
        return registry.scrape();
    }

    /** At the first scrape, because it would delay the first answer of a server that nobody watches. */
    private synchronized void showMachine() {
        if (collections == null) {
            collections = new JvmGcMetrics();
            collections.bindTo(registry);
            new JvmMemoryMetrics().bindTo(registry);
            new JvmThreadMetrics().bindTo(registry);
        }
    }

    @Override
    public synchronized void close() {
        jobs.close();
        if (collections != null) {
            collections.close();
        }
        registry.close();
    }
}
