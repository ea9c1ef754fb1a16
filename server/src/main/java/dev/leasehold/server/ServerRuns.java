package dev.leasehold.server;

import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.internal.Failure;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.Note;
import dev.leasehold.spi.CasRegister;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What the server itself adds to the log of runs, where {@code leasehold explain} and the events show
 * it. Best effort: what is recorded has happened in any case.
 */
final class ServerRuns {
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

    ServerRuns(CasRegister register) {
        this.log = new RunLog(register);
    }

    /** A stale client may try again and again: it is recorded once for each resource. */
    void refused(Caller caller, Grant grant, String resource, String explanation) {
        if (recorded.add(new Refusal(grant, resource))) {
            String owner = caller.owner();
            Holder by = Holder.of(owner == null ? "http" : owner);
            append(grant, "stale_refused", by, "fence " + resource + ": " + explanation);
        }
    }

    /** Somebody gave back the lease of another. */
    void released(Holder by, Grant grant, Note reason) {
        append(grant, "released", by, reason.value());
    }

    private void append(Grant grant, String kind, Holder by, String detail) {
        try {
            log.append(grant.name(), new RunEntry(Instant.EPOCH, kind, grant.token(), by, Duration.ZERO, detail));
        } catch (RuntimeException e) {
            Failure.log("an entry of the log of runs could not be written", e);
        }
    }
}
