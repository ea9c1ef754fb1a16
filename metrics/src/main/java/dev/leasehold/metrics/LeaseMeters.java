package dev.leasehold.metrics;

import dev.leasehold.model.Loss;
import dev.leasehold.model.Release;
import dev.leasehold.model.TransferReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.Map;

/**
 * The counters of what happens to leases. Each of them exists from the start: Prometheus sees no
 * increase in a series that begins at one.
 */
final class LeaseMeters {
    private final Map<TransferReason, Counter> acquisitions = new EnumMap<>(TransferReason.class);
    private final Map<Loss.Kind, Counter> losses = new EnumMap<>(Loss.Kind.class);
    private final Counter busy;
    private final Counter renewals;
    private final Counter refusals;
    private final Counter released;
    private final Counter notCurrent;
    private final Counter unanswered;

    LeaseMeters(MeterRegistry registry, Tags tags) {
        for (TransferReason reason : TransferReason.values()) {
            if (reason != TransferReason.CANCELLED && reason != TransferReason.RECOVERED) {
                acquisitions.put(
                        reason,
                        Counter.builder("leasehold.acquisitions")
                                .description("Leases that were granted, by why the ownership changed")
                                .tags(tags)
                                .tag("reason", reason.word())
                                .register(registry));
            }
        }
        for (Loss.Kind kind : Loss.Kind.values()) {
            losses.put(
                    kind,
                    Counter.builder("leasehold.losses")
                            .description("Leases that ended before their holder gave them back")
                            .tags(tags)
                            .tag("kind", kind.word())
                            .register(registry));
        }
        busy = counter(registry, "leasehold.busy", "Requests for a lease that another holder had; not failures", tags);
        renewals = counter(registry, "leasehold.renewals", "Renewals that the store confirmed", tags);
        refusals =
                counter(registry, "leasehold.refusals", "Stale grants that a target or the work ledger refused", tags);
        String releases = "What became of leases that were given back";
        released = counter(registry, "leasehold.releases", releases, tags.and("outcome", "released"));
        notCurrent = counter(registry, "leasehold.releases", releases, tags.and("outcome", "not-current"));
        unanswered = counter(registry, "leasehold.releases", releases, tags.and("outcome", "unanswered"));
    }

    static Counter counter(MeterRegistry registry, String name, String description, Tags tags) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    void acquired(TransferReason reason) {
        Counter counter = acquisitions.get(reason);
        if (counter != null) {
            counter.increment();
        }
    }

    void busy() {
        busy.increment();
    }

    void renewed() {
        renewals.increment();
    }

    void refused() {
        refusals.increment();
    }

    void lost(Loss loss) {
        Counter counter = losses.get(loss.kind());
        if (counter != null) {
            counter.increment();
        }
    }

    void released(Release release) {
        (release instanceof Release.NotCurrent ? notCurrent : released).increment();
    }

    void releaseUnanswered() {
        unanswered.increment();
    }
}
