package dev.leasehold.mcp;

import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Text;
import dev.leasehold.spi.CasRegister;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Records refused writes in the log of runs, where {@code leasehold explain} and the events show
 * them. A stale agent may try again and again: it is recorded once for each file.
 */
final class RefusedWrites {
    private static final int MOST_REMEMBERED = 1000;
    private static final int SHOWN = 300;

    private final RunLog log;
    private final ToolFailures failures;
    private final Set<String> recorded = new LinkedHashSet<>();

    RefusedWrites(CasRegister register, ToolFailures failures) {
        this.log = new RunLog(register);
        this.failures = failures;
    }

    /** Best effort: the write is refused in any case. */
    void record(McpCaller caller, Grant grant, Path path, String why) {
        if (!isFirst(grant.encode() + " " + path)) {
            return;
        }
        RunEntry entry = new RunEntry(
                Instant.EPOCH,
                "stale_refused",
                grant.token(),
                caller.holder(),
                Duration.ZERO,
                Text.shown(path.toString(), SHOWN) + ": " + why);
        try {
            log.append(grant.name(), entry);
        } catch (RuntimeException e) {
            failures.log("a refused write could not be recorded", e);
        }
    }

    private synchronized boolean isFirst(String refusal) {
        if (recorded.size() >= MOST_REMEMBERED) {
            recorded.clear();
        }
        return recorded.add(refusal);
    }
}
