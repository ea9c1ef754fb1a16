package dev.leasehold.server;

import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.internal.Failure;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.spi.CasRegister;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Records refused grants in the log of runs, where {@code leasehold explain} and the events show
 * them. A stale client may try again and again: it is recorded once for each resource.
 */
final class RefusalLog {
    private static final int MOST_REMEMBERED = 10_000;

    private final RunLog log;
    private final Set<Refusal> recorded = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Refusal, Boolean> eldest) {
            return size() > MOST_REMEMBERED;
        }
    }));

    private record Refusal(Grant grant, String resource) {}

    RefusalLog(CasRegister register) {
        this.log = new RunLog(register);
    }

    /** Best effort: the grant is refused in any case. */
    void record(Caller caller, Grant grant, String resource, String explanation) {
        if (!recorded.add(new Refusal(grant, resource))) {
            return;
        }
        String owner = caller.owner();
        RunEntry entry = new RunEntry(
                Instant.EPOCH,
                "stale_refused",
                grant.token(),
                Holder.of(owner == null ? "http" : owner),
                Duration.ZERO,
                "fence " + resource + ": " + explanation);
        try {
            log.append(grant.name(), entry);
        } catch (RuntimeException e) {
            Failure.log("a refusal could not be recorded", e);
        }
    }
}
