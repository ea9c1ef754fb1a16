package dev.leasehold.cli.jobs;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.internal.Nearest;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.jobs.JobRecord;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Implements {@code pause} and {@code resume}, which need an existing job and record the reason in
 * its history.
 */
final class JobPause {
    private static final int MAX_JOBS = 10_000;

    private final Invocation invocation;
    private final LeaseName name;
    private final Holder operator;
    private final Note reason;

    JobPause(Invocation invocation) {
        Holder given = SharedOptions.holder(invocation.arguments());
        this.invocation = invocation;
        this.name = invocation.arguments().leaseName(0);
        this.operator = given == null ? SystemContext.defaultHolder(new SystemIds()) : given;
        this.reason = SharedOptions.reason(invocation.arguments());
    }

    int pause() {
        try (LeaseStore store = invocation.openStore()) {
            JobRecords records = new JobRecords(store.register());
            existing(records);
            records.pause(name, operator, reason);
            record(store, "paused");
            invocation.console().say(name + " is paused; its slots are dropped until 'leasehold resume " + name + "'");
            return ExitCode.OK;
        }
    }

    int resume() {
        try (LeaseStore store = invocation.openStore()) {
            JobRecords records = new JobRecords(store.register());
            if (existing(records).pause() == null) {
                invocation.console().say(name + " is not paused; nothing was changed");
                return ExitCode.OK;
            }
            records.resume(name);
            record(store, "resumed");
            invocation.console().say(name + " is resumed; its next slot runs when it is due");
            return ExitCode.OK;
        }
    }

    private JobRecord existing(JobRecords records) {
        return records.read(name)
                .orElseThrow(() -> new UsageException("this store has no job " + name
                        + "; 'leasehold due' lists the jobs" + Nearest.suggestion(name.value(), names(records), "")))
                .record();
    }

    private static List<String> names(JobRecords records) {
        List<String> names = new ArrayList<>();
        records.jobs(MAX_JOBS).forEach(job -> names.add(job.value()));
        return names;
    }

    private void record(LeaseStore store, String kind) {
        JobRecords.Snapshot page = new JobRecords(store.register()).read(name).orElseThrow();
        new RunLog(store.register())
                .append(name, new RunEntry(page.at(), kind, null, operator, Duration.ZERO, reason.value()));
    }
}
