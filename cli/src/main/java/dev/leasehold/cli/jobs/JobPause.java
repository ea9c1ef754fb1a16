package dev.leasehold.cli.jobs;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.runlog.RunEntry;
import dev.leasehold.cli.runlog.RunLog;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.jobs.JobRecord;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;

/** What {@code pause} and {@code resume} have in common: they need a job that is known, and say why in its history. */
final class JobPause {
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
            JobRecords book = new JobRecords(store.register());
            known(book);
            book.pause(name, operator, reason);
            record(store, "paused");
            invocation.console().say(name + " is paused: its slots are dropped until 'leasehold resume " + name + "'");
            return ExitCode.OK;
        }
    }

    int resume() {
        try (LeaseStore store = invocation.openStore()) {
            JobRecords book = new JobRecords(store.register());
            if (known(book).pause() == null) {
                invocation.console().say(name + " is not paused; nothing was changed");
                return ExitCode.OK;
            }
            book.resume(name);
            record(store, "resumed");
            invocation.console().say(name + " is resumed: its next slot runs when it is due");
            return ExitCode.OK;
        }
    }

    private JobRecord known(JobRecords book) {
        return book.read(name)
                .orElseThrow(() -> new UsageException("no machine has seen a job " + name
                        + " in this store; 'leasehold due' shows the ones that are known"))
                .record();
    }

    private void record(LeaseStore store, String kind) {
        JobRecords.Page page = new JobRecords(store.register()).read(name).orElseThrow();
        new RunLog(store.register())
                .append(name, new RunEntry(page.at(), kind, null, operator, Duration.ZERO, reason.value()));
    }
}
