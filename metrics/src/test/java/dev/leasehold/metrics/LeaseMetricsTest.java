package dev.leasehold.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.RunOutcome;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreId;
import dev.leasehold.spi.Intervention;
import dev.leasehold.store.MemoryLeaseStore;
import dev.leasehold.testkit.FaultyLeaseStore;
import dev.leasehold.testkit.ManualContext;
import dev.leasehold.testkit.StoreOperation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What a registry says about the leases of a process, in virtual time. */
class LeaseMetricsTest {
    private static final LeaseName JOB = LeaseName.of("job");
    /** Trusted for 81 s, renewed every 30 s. */
    private static final LeaseTerms TERMS = LeaseTerms.ofTtl(Duration.ofSeconds(90));

    private final ManualContext manual = new ManualContext();
    private final MemoryLeaseStore store = new MemoryLeaseStore(StoreId.of("store-0001"), manual.clock());
    private final FaultyLeaseStore network = new FaultyLeaseStore(store, manual.timers());
    private final MeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, new MockClock());

    private Leases leases(LeaseMetrics metrics) {
        return Leases.over(network)
                .context(manual.context())
                .terms(TERMS)
                .listener(metrics)
                .build();
    }

    private Leases leases() {
        return leases(LeaseMetrics.on(registry));
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private void rivalTakes(LeaseName name) {
        store.intervene(Intervention.takeover(
                name, AttemptId.of("rival-attempt-1"), Holder.of("rival"), TERMS.ttl(), Note.of("because")));
    }

    @Test
    void everySeriesExistsBeforeAnythingHappens() {
        // Prometheus sees no increase in a series that begins at one.
        LeaseMetrics.on(registry);
        assertThat(count("leasehold.acquisitions", "reason", "expired")).isZero();
        assertThat(count("leasehold.losses", "kind", "no-progress")).isZero();
        assertThat(count("leasehold.refusals")).isZero();
        assertThat(count("leasehold.scheduled.outcomes", "outcome", "failed")).isZero();
        assertThat(count("leasehold.scheduled.skipped_overlap")).isZero();
    }

    @Test
    void aLeaseIsCountedFromItsAcquisitionToItsRelease() {
        try (Leases leases = leases()) {
            Lease lease = leases.tryAcquire(JOB, TERMS).lease().orElseThrow();
            manual.advance(Duration.ofSeconds(65));
            lease.close();
            leases.tryAcquire(JOB, TERMS).lease().orElseThrow().close();
        }
        assertThat(count("leasehold.acquisitions", "reason", "first")).isEqualTo(1);
        assertThat(count("leasehold.acquisitions", "reason", "released")).isEqualTo(1);
        assertThat(count("leasehold.renewals")).isEqualTo(2);
        assertThat(count("leasehold.releases", "outcome", "released")).isEqualTo(2);
        Timer held = registry.get("leasehold.held").tag("end", "released").timer();
        assertThat(held.count()).isEqualTo(2);
        assertThat(held.max(TimeUnit.SECONDS)).isEqualTo(65);
        assertThat(count("leasehold.losses")).isZero();
    }

    @Test
    void aBusyLeaseIsNoLoss() throws Exception {
        try (Leases leases = leases();
                Lease held = leases.tryAcquire(JOB, TERMS).lease().orElseThrow()) {
            assertThat(leases.run("job", lease -> 1)).isInstanceOf(RunOutcome.Skipped.class);
        }
        assertThat(count("leasehold.busy")).isEqualTo(1);
        assertThat(count("leasehold.acquisitions")).isEqualTo(1);
        assertThat(count("leasehold.losses")).isZero();
        assertThat(count("leasehold.scheduled.skipped_overlap")).isZero();
    }

    @Test
    void aLossIsCountedByItsKindAndEndsTheHoldOnce() {
        try (Leases leases = leases()) {
            Lease superseded = leases.tryAcquire(JOB, TERMS).lease().orElseThrow();
            rivalTakes(JOB);
            manual.advance(Duration.ofSeconds(31));
            superseded.close();
            Lease frozen =
                    leases.tryAcquire(LeaseName.of("other"), TERMS).lease().orElseThrow();
            manual.freeze(Duration.ofMinutes(5));
            // A lease that was lost is still closed by its user.
            frozen.close();
        }
        assertThat(count("leasehold.losses", "kind", "superseded")).isEqualTo(1);
        assertThat(count("leasehold.losses", "kind", "lapsed")).isEqualTo(1);
        assertThat(registry.get("leasehold.held").tag("end", "lost").timer().count())
                .isEqualTo(2);
        assertThat(registry.get("leasehold.held").tag("end", "released").timer().count())
                .isZero();
    }

    @Test
    void aTakeoverIsAnAcquisitionWithItsReason() {
        try (Leases leases = leases()) {
            rivalTakes(JOB);
            Lease taken = leases.takeOver(
                            JOB,
                            TERMS,
                            store.inspect(JOB).orElseThrow().lease().token(),
                            AttemptId.of("attempt-0001"),
                            Note.of("it hangs"))
                    .orElseThrow();
            taken.reportStale("the file has seen token 7");
        }
        assertThat(count("leasehold.acquisitions", "reason", "takeover")).isEqualTo(1);
        assertThat(count("leasehold.refusals")).isEqualTo(1);
    }

    @Test
    void aRenewalInTimeIsNotLate() {
        try (Leases leases = leases();
                Lease lease = leases.tryAcquire(JOB, TERMS).lease().orElseThrow()) {
            manual.advance(Duration.ofSeconds(31));
        }
        Timer lateness = registry.get("leasehold.renewals.lateness").timer();
        assertThat(lateness.count()).isEqualTo(1);
        assertThat(lateness.max(TimeUnit.SECONDS)).isZero();
        assertThat(registry.get("leasehold.renewals.trust.used").summary().max())
                .isBetween(0.36, 0.38);
    }

    @Test
    void aRenewalThatTheStoreDidNotAnswerAtFirstIsLate() {
        try (Leases leases = leases();
                Lease lease = leases.tryAcquire(JOB, TERMS).lease().orElseThrow()) {
            for (int i = 0; i < 36; i++) {
                network.dropRequestOnce(StoreOperation.RENEW);
            }
            manual.advance(Duration.ofSeconds(80));
        }
        assertThat(count("leasehold.renewals")).isEqualTo(1);
        assertThat(registry.get("leasehold.renewals.lateness").timer().max(TimeUnit.SECONDS))
                .isBetween(30.0, 40.0);
        assertThat(registry.get("leasehold.renewals.trust.used").summary().max())
                .isGreaterThan(0.8);
    }

    @Test
    void aReleaseThatTheStoreDidNotAnswerIsCountedApart() {
        try (Leases leases = leases()) {
            Lease lease = leases.tryAcquire(JOB, TERMS).lease().orElseThrow();
            network.dropRequestOnce(StoreOperation.RELEASE);
            lease.close();
        }
        assertThat(count("leasehold.releases", "outcome", "unanswered")).isEqualTo(1);
        assertThat(registry.get("leasehold.held")
                        .tag("end", "unanswered")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void noLeaseNameIsALabelUnlessAsked() {
        PrometheusMeterRegistry plain = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        PrometheusMeterRegistry named = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        for (LeaseMetrics metrics : List.of(LeaseMetrics.on(plain), LeaseMetrics.withNames(named))) {
            try (Leases leases = leases(metrics)) {
                leases.tryAcquire(LeaseName.of("team/a@x:1_-."), TERMS)
                        .lease()
                        .orElseThrow()
                        .close();
            }
        }
        assertThat(plain.scrape())
                .contains("leasehold_acquisitions_total{reason=\"first\"} 1.0")
                .doesNotContain("team/a", "name=");
        assertThat(named.scrape())
                .contains("leasehold_acquisitions_total{name=\"team/a@x:1_-.\",reason=\"released\"} 1.0");
    }

    @Test
    void aMillionNamesDoNotFillTheRegistry() {
        MetersByName<List<String>> meters = MetersByName.each(
                tags -> new ArrayList<>(List.of(tags.stream().toList().get(0).getValue())));
        for (int i = 0; i < 1_000_000; i++) {
            meters.of(LeaseName.of("name-" + i)).add("event");
        }
        assertThat(meters.of(LeaseName.of("name-1"))).containsExactly("name-1", "event");
        assertThat(meters.of(LeaseName.of("name-777777"))).hasSize(1 + 1_000_000 - MetersByName.MOST_NAMES);
    }

    /** A registry whose meters fail must cost no lease. */
    @Test
    void aRegistryThatFailsChangesNothing() {
        Logger log = Logger.getLogger("dev.leasehold");
        log.setLevel(Level.OFF);
        MeterRegistry broken = new BrokenRegistry();
        try (Leases leases = Leases.over(MeteredStore.counting(network, broken))
                .context(manual.context())
                .listener(LeaseMetrics.on(broken))
                .build()) {
            Lease lease = leases.tryAcquire(JOB, TERMS).lease().orElseThrow();
            manual.advance(Duration.ofSeconds(65));
            assertThat(lease.isTrusted()).isTrue();
            assertThat(lease.release()).isPresent();
        } finally {
            log.setLevel(null);
        }
    }
}
