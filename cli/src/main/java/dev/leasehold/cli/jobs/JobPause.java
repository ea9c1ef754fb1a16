package dev.leasehold.cli.jobs;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.output.Json;
import dev.leasehold.events.JobMoves;
import dev.leasehold.internal.Nearest;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.LeaseStore;
import java.util.ArrayList;
import java.util.List;

/**
 * Implements {@code pause} and {@code resume}, which need an existing job and record the reason in
 * its history.
 */
final class JobPause {
    private final Invocation invocation;
    private final LeaseName name;
    private final Holder operator;
    private final Note reason;

    JobPause(Invocation invocation) {
        Holder given = SharedOptions.holder(invocation);
        this.invocation = invocation;
        this.name = invocation.arguments().leaseName(0);
        this.operator = given == null ? SystemContext.defaultHolder(new SystemIds()) : given;
        this.reason = SharedOptions.reason(invocation.arguments());
    }

    int pause() {
        try (LeaseStore store = invocation.openStore()) {
            if (!new JobMoves(store.register()).pause(name, operator, reason)) {
                throw unknown(name, new JobRecords(store.register()));
            }
            return report("paused", "is paused; its slots are dropped until 'leasehold resume " + name + "'");
        }
    }

    int resume() {
        try (LeaseStore store = invocation.openStore()) {
            if (new JobMoves(store.register()).resume(name, operator, reason)) {
                return report("resumed", "is resumed; its next slot runs when it is due");
            }
            JobRecords records = new JobRecords(store.register());
            if (records.read(name).isEmpty()) {
                throw unknown(name, records);
            }
            return report("not-paused", "is not paused; nothing was changed");
        }
    }

    private int report(String outcome, String what) {
        if (invocation.json()) {
            invocation
                    .console()
                    .print(new Json().put("outcome", outcome).put("job", name).toString());
        }
        invocation.console().say(name + " " + what);
        return ExitCode.OK;
    }

    static UsageException unknown(LeaseName name, JobRecords records) {
        return new UsageException("this store has no job " + name + "; 'leasehold due' lists the jobs"
                + Nearest.suggestion(name.value(), names(records), ""));
    }

    private static List<String> names(JobRecords records) {
        List<String> names = new ArrayList<>();
        records.all().forEach(job -> names.add(job.value()));
        return names;
    }
}
