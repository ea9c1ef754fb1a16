package dev.leasehold.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreId;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.CasRegister;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.FaultyLeaseStore;
import dev.leasehold.testkit.ManualContext;
import dev.leasehold.testkit.StoreOperation;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store that counts and measures its calls. */
class MeteredStoreTest {
    private static final LeaseName JOB = LeaseName.of("job");
    private static final Holder US = Holder.of("us");
    private static final Duration TTL = Duration.ofSeconds(90);

    private final ManualContext manual = new ManualContext();
    private final FaultyLeaseStore network =
            new FaultyLeaseStore(new MemoryLeaseStore(StoreId.of("store-0001"), manual.clock()), manual.timers());
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final LeaseStore store = MeteredStore.counting(network, registry);

    private Acquisition acquire(String attempt) {
        return store.acquire(JOB, AttemptId.of(attempt), US, TTL);
    }

    private long calls(String operation, String outcome) {
        return registry.get("leasehold.store.calls")
                .tags("operation", operation, "outcome", outcome)
                .timer()
                .count();
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    /** A method of the interface that is not overridden would have its default instead of what the store does. */
    @Test
    void everyCallReachesTheStore() {
        for (Class<?> type : List.of(LeaseStore.class, CasRegister.class)) {
            Class<?> metered = type.equals(LeaseStore.class) ? MeteredStore.class : MeteredRegister.class;
            List<String> own = Arrays.stream(metered.getDeclaredMethods())
                    .map(MeteredStoreTest::signature)
                    .toList();
            for (Method method : type.getDeclaredMethods()) {
                if (!Modifier.isStatic(method.getModifiers())) {
                    assertThat(own).contains(signature(method));
                }
            }
        }
    }

    private static String signature(Method method) {
        return method.getName() + Arrays.toString(method.getParameterTypes());
    }

    @Test
    void aCallThatTheStoreDidNotAnswerIsNotAmongTheAnswered() {
        acquire("attempt-0001");
        network.dropReplyOnce(StoreOperation.ACQUIRE);
        assertThatThrownBy(() -> acquire("attempt-0002")).isInstanceOf(StoreUnavailableException.class);
        store.register().read("key");
        assertThat(calls("acquire", "answered")).isEqualTo(1);
        assertThat(calls("acquire", "unavailable")).isEqualTo(1);
        assertThat(calls("read", "answered")).isEqualTo(1);
        assertThat(calls("read", "unavailable")).isZero();
    }

    @Test
    void grantsRenewalsAndLossesAreCounted() {
        Grant first = ((Acquisition.Granted) acquire("attempt-0001")).grant();
        // A poll that finds the lease busy is not yet a client that did not get it.
        acquire("attempt-0002");
        store.renew(List.of(new RenewRequest(first, TTL)));
        Grant second = ((Acquisition.Granted) store.intervene(
                        Intervention.takeover(JOB, AttemptId.of("attempt-0003"), US, TTL, Note.of("it hangs"))))
                .grant();
        store.renew(List.of(new RenewRequest(first, TTL)));
        store.release(first, Duration.ZERO);
        store.release(second, Duration.ZERO);
        assertThat(count("leasehold.acquisitions", "reason", "first")).isEqualTo(1);
        assertThat(count("leasehold.acquisitions", "reason", "takeover")).isEqualTo(1);
        assertThat(count("leasehold.interventions", "reason", "takeover")).isEqualTo(1);
        assertThat(count("leasehold.renewals")).isEqualTo(1);
        assertThat(count("leasehold.losses", "kind", "superseded")).isEqualTo(1);
        assertThat(count("leasehold.releases", "outcome", "not-current")).isEqualTo(1);
        assertThat(count("leasehold.releases", "outcome", "released")).isEqualTo(1);
        assertThat(count("leasehold.busy")).isZero();
    }

    /** The listener of a library user counts these events, and they must not be counted twice. */
    @Test
    void aStoreThatIsOnlyTimedCountsNoEvents() {
        MeterRegistry other = new SimpleMeterRegistry();
        MeteredStore.timed(network, other).acquire(JOB, AttemptId.of("attempt-0001"), US, TTL);
        assertThat(other.getMeters())
                .extracting(meter -> meter.getId().getName())
                .allMatch(name -> name.startsWith("leasehold.store.calls"));
    }

    @Test
    void prometheusTakesAllSeriesTogether() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        LeaseMetrics.on(prometheus);
        MeteredStore.counting(network, prometheus).acquire(JOB, AttemptId.of("attempt-0001"), US, TTL);
        assertThat(prometheus.scrape())
                .contains(
                        "leasehold_store_calls_seconds_bucket{operation=\"acquire\",outcome=\"answered\",le=\"+Inf\"} 1",
                        "leasehold_store_calls_seconds_count{operation=\"acquire\",outcome=\"unavailable\"} 0",
                        "leasehold_acquisitions_total{reason=\"first\"} 1.0");
    }
}
