package dev.leasehold.metrics;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.TransferReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Counts what a store answers to the clients of a server. A client that repeats a call whose answer
 * it did not get is counted again.
 */
final class ServedLeaseMeters {
    private final LeaseMeters leases;
    private final Map<TransferReason, Counter> interventions = new EnumMap<>(TransferReason.class);

    ServedLeaseMeters(MeterRegistry registry) {
        leases = new LeaseMeters(registry, Tags.empty());
        for (TransferReason reason :
                List.of(TransferReason.TAKEOVER, TransferReason.CANCELLED, TransferReason.RECOVERED)) {
            interventions.put(
                    reason,
                    LeaseMeters.counter(
                            registry,
                            "leasehold.interventions",
                            "Leases whose token an operator or a supervisor raised",
                            Tags.of("reason", reason.word())));
        }
    }

    void busy() {
        leases.busy();
    }

    void refused() {
        leases.refused();
    }

    void acquired(Acquisition answer) {
        if (answer instanceof Acquisition.Granted granted) {
            leases.acquired(granted.transfer().reason());
        }
    }

    void intervened(Acquisition answer) {
        acquired(answer);
        if (answer instanceof Acquisition.Granted granted) {
            Counter counter = interventions.get(granted.transfer().reason());
            if (counter != null) {
                counter.increment();
            }
        }
    }

    void renewed(List<Renewal> answers) {
        for (Renewal answer : answers) {
            if (answer instanceof Renewal.Renewed) {
                leases.renewed();
            } else if (answer instanceof Renewal.NotRenewed not) {
                leases.lost(not.loss());
            }
        }
    }

    void released(Release answer) {
        leases.released(answer);
    }
}
