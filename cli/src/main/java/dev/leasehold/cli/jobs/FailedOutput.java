package dev.leasehold.cli.jobs;

import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.jobs.Outcome;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.CasRegister;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The last lines that the failed runs of a job printed, as the log of runs keeps them. */
public final class FailedOutput {
    private final Map<FencingToken, List<String>> byToken = new HashMap<>();

    private FailedOutput() {}

    public static FailedOutput of(RunLog.Summary runs) {
        FailedOutput all = new FailedOutput();
        for (RunEntry entry : runs.newestFirst()) {
            if (entry.token() != null && entry.isWholeRun() && !entry.output().isEmpty()) {
                all.byToken.put(entry.token(), entry.output());
            }
        }
        return all;
    }

    /** Reads the log only if a slot failed: most jobs have no such slot. */
    static FailedOutput of(CasRegister register, LeaseName job, JobRecords.Snapshot page) {
        boolean failed = page.record().outcomes().stream().anyMatch(FailedOutput::hasFailed);
        try {
            return failed ? of(new RunLog(register).of(job)) : new FailedOutput();
        } catch (StoreCorruptException e) {
            // The slots are readable all the same; 'leasehold explain' reports the damage.
            return new FailedOutput();
        }
    }

    private static boolean hasFailed(Outcome outcome) {
        return outcome.kind() == Outcome.Kind.FAILED && outcome.token() != null;
    }

    List<String> of(Outcome outcome) {
        return hasFailed(outcome) ? byToken.getOrDefault(outcome.token(), List.of()) : List.of();
    }
}
