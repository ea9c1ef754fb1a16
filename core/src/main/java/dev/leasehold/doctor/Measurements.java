package dev.leasehold.doctor;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.spi.ClocklessRegister;
import dev.leasehold.spi.Ids;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Measures round trips and the store's clock, and computes what the given terms tolerate. */
final class Measurements {
    private static final int SAMPLES = 50;
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final LeaseStore store;
    private final Ids ids;
    private final LeaseName name;
    private Duration worst = Duration.ZERO;

    Measurements(LeaseStore store, Ids ids, LeaseName name) {
        this.store = store;
        this.ids = ids;
        this.name = name;
    }

    List<Finding> run() throws InterruptedException {
        Acquisition answer =
                store.acquire(name, AttemptId.of(ids.unique()), Holder.of("doctor"), Duration.ofMinutes(5));
        if (!(answer instanceof Acquisition.Granted granted)) {
            return List.of(Finding.fault("a fresh name could not be acquired"));
        }
        List<Finding> findings = new ArrayList<>();
        findings.add(roundTrips(granted.grant()));
        findings.add(clock());
        store.release(granted.grant(), Duration.ZERO);
        return findings;
    }

    /** How long a pause and how slow a store the terms tolerate before a lease is lost. */
    List<Finding> tolerance(LeaseTerms terms) {
        Duration pause = terms.trustedFor().minus(terms.heartbeat()).minus(worst);
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.good("with ttl " + DurationText.show(terms.ttl()) + " and heartbeat "
                + DurationText.show(terms.heartbeat()) + " a holder survives a pause of about "
                + DurationText.show(pause)
                + ", and clocks whose rates differ by less than 10 %"));
        if (worst.compareTo(terms.heartbeat()) > 0) {
            findings.add(Finding.warning("the slowest round trip took longer than a heartbeat: raise the ttl"));
        }
        return findings;
    }

    private Finding roundTrips(Grant grant) {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < SAMPLES; i++) {
            long before = System.nanoTime();
            store.renew(List.of(new RenewRequest(grant, Duration.ofMinutes(5).plusMillis(i))));
            times.add(Duration.ofNanos(System.nanoTime() - before));
        }
        Collections.sort(times);
        worst = times.get(SAMPLES - 1);
        return Finding.good("a renewal takes " + StoreDoctor.millis(times.get(SAMPLES / 2)) + " at the median, "
                + StoreDoctor.millis(times.get(SAMPLES * 95 / 100)) + " for 95 of 100, " + StoreDoctor.millis(worst)
                + " at the worst of " + SAMPLES);
    }

    private Finding clock() throws InterruptedException {
        if (store.register() instanceof ClocklessRegister) {
            return Finding.good(
                    "the store has no clock, and the clocks of hosts decide nothing: the lease of a dead holder"
                            + " is granted one ttl after a host first looked at it");
        }
        Look first = look();
        Thread.sleep(BETWEEN_LOOKS.toMillis());
        Look second = look();
        Duration drift = second.offset.minus(first.offset);
        String text = "the store's clock is " + DurationText.show(second.offset.abs())
                + (second.offset.isNegative() ? " behind" : " ahead of") + " this host's (+/- "
                + StoreDoctor.millis(second.uncertainty) + "), and drifted " + StoreDoctor.millis(drift.abs())
                + " in a second; only the store's clock decides deadlines";
        boolean odd = drift.abs().compareTo(Duration.ofMillis(50).plus(second.uncertainty)) > 0;
        return odd ? Finding.warning(text + ". This is unusual: check both clocks") : Finding.good(text);
    }

    private record Look(Duration offset, Duration uncertainty) {}

    private Look look() {
        Instant before = Instant.now();
        LeaseSnapshot snapshot = store.inspect(name).orElseThrow();
        Instant after = Instant.now();
        Duration half = Duration.between(before, after).dividedBy(2);
        return new Look(Duration.between(before.plus(half), snapshot.at()), half);
    }
}
