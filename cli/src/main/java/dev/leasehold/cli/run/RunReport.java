package dev.leasehold.cli.run;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.leased.CommandHandle;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.targets.TargetOption;
import dev.leasehold.events.RelativeTime;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.events.RunOrigin;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.Ticker;
import dev.leasehold.work.Claim;
import dev.leasehold.work.WorkItem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports the outcome of a run on stderr, in the log that {@code explain} shows and in the report
 * file. Each method returns the exit code.
 */
final class RunReport {
    private static final int LAST_SIGNAL = 31;

    private final Invocation invocation;
    private final RunOptions options;
    private final Leases leases;
    private final Ticker ticker;
    private final CommandHandle handle;
    private ClockReading started;
    private @Nullable Lease afterExpiry;

    RunReport(Invocation invocation, RunOptions options, Leases leases, Ticker ticker, CommandHandle handle) {
        this.invocation = invocation;
        this.options = options;
        this.leases = leases;
        this.ticker = ticker;
        this.handle = handle;
        this.started = ticker.read();
    }

    /** Starts to measure the duration of the run. */
    void acquired(Lease lease) {
        started = ticker.read();
        afterExpiry = lease.transfer().reason() == TransferReason.EXPIRED ? lease : null;
    }

    int skipped(AcquireResult.Busy busy) {
        LeaseName name = options.names().get(0);
        String line =
                AcquireCommand.busyLine(options.names().get(options.names().size() - 1), busy);
        invocation.console().say(line + "; skipped");
        record("skipped_overlap", name, null, line);
        return write(json("skipped", name, options.skipExit()).put("detail", line), options.skipExit());
    }

    /** A signal arrived before the command started. */
    int interrupted(int code) {
        record("interrupted", options.names().get(0), null, "a signal ended the run before the command started");
        return write(json("interrupted", options.names().get(0), code), code);
    }

    int refused(Lease lease, TargetOption target, Admission.Refused refused) {
        // This run holds the lease, so its token is current. A target that has seen a higher one
        // proves that the store lost records.
        String explanation = refused instanceof Admission.Stale stale
                ? Admission.repairAdvice(lease.grant(), stale.raised())
                : refused.explanation();
        String detail = target + " refused the token, so the command was not started: " + explanation;
        invocation.console().error(detail);
        record(target.kindOf(refused), lease.grant().name(), lease.grant().token(), detail);
        return write(json("refused", lease, ExitCode.STALE).put("detail", detail), ExitCode.STALE);
    }

    /** Records a target that could not be raised; the exception still goes to the user. */
    void notRaised(Lease lease, RuntimeException why) {
        record(
                why instanceof TargetUnavailableException ? "target_unavailable" : "target_refused",
                lease.grant().name(),
                lease.grant().token(),
                "the command was not started: " + why.getMessage());
    }

    /** The grant to adopt, or the token to take over, is not current. */
    int notCurrent(HandOver.Answer answer) {
        LeaseName name = options.names().get(0);
        String detail = "token " + answer.token() + " of " + name + " is not current, so the command was not started: "
                + answer.why();
        invocation.console().error(detail);
        record("not_current", name, null, detail);
        return write(json("not-current", name, ExitCode.NOT_CURRENT).put("detail", detail), ExitCode.NOT_CURRENT);
    }

    /** The key is done and is not run again: neither a failure nor a skip. */
    int alreadyDone(WorkItem item) {
        String result = item.result() == null ? "" : ", result: " + item.result();
        String line = "key " + item.id().key() + " of " + item.id().name() + " has been done since "
                + RelativeTime.at(item.since()) + "; not run again" + result;
        invocation.console().say(line);
        record("already_done", item.id().name(), null, line);
        Json json = json("already-done", item.id().name(), ExitCode.OK);
        return write(json.put("result", item.result()).put("detail", line), ExitCode.OK);
    }

    int notClaimed(Lease lease, Claim.Refused refused) {
        String line = refused.explanation();
        if (refused instanceof Claim.Taken) {
            invocation.console().say(line + "; skipped");
            record("skipped_overlap", lease.grant().name(), null, line);
            return write(json("skipped", lease, options.skipExit()).put("detail", line), options.skipExit());
        }
        boolean input = refused instanceof Claim.OtherInput;
        int code = input ? ExitCode.USAGE : ExitCode.STALE;
        invocation.console().error("nothing was run: " + line);
        record(
                input ? "not_started" : "stale_refused",
                lease.grant().name(),
                lease.grant().token(),
                line);
        return write(json("refused", lease, code).put("detail", line), code);
    }

    int notCompleted(Lease lease, int commandCode, String why) {
        String line = "the command succeeded, but its key was not completed: " + why;
        invocation.console().error(line);
        record("stale_refused", lease.grant().name(), lease.grant().token(), line);
        return write(
                json("not-completed", lease, ExitCode.STALE)
                        .put("commandExit", commandCode)
                        .put("detail", line),
                ExitCode.STALE);
    }

    int notStarted(Lease lease, IOException why) {
        String detail = "the command could not be started: " + why.getMessage();
        invocation.console().error(detail);
        record("not_started", lease.grant().name(), lease.grant().token(), detail);
        return write(json("failed", lease, ExitCode.NOT_EXECUTABLE).put("detail", detail), ExitCode.NOT_EXECUTABLE);
    }

    int lost(Lease lease, int commandCode) {
        Loss loss = lease.loss().orElse(new Loss.Lapsed("its trusted time passed"));
        invocation.console().error("lost " + lease.grant() + "; the command was stopped: " + loss.explanation());
        record(loss.kind().counter(), lease.grant().name(), lease.grant().token(), loss.explanation());
        return write(
                json("lost", lease, ExitCode.LOST)
                        .put("commandExit", commandCode)
                        .put("loss", loss.kind().word())
                        .put("detail", loss.explanation()),
                ExitCode.LOST);
    }

    int timedOut(Lease lease, int commandCode) {
        String detail = "the command was stopped after its --timeout";
        invocation.console().error(detail);
        record("timed_out", lease.grant().name(), lease.grant().token(), detail);
        return write(
                json("timed-out", lease, ExitCode.TIMEOUT)
                        .put("commandExit", commandCode)
                        .put("detail", detail),
                ExitCode.TIMEOUT);
    }

    int ran(Lease lease, int code) {
        record(code == 0 ? "ran" : "failed", lease.grant().name(), lease.grant().token(), exit(code));
        // Nearly every run ends here without --report: then the classes for JSON need not be
        // loaded.
        return options.report() == null ? code : write(json("ran", lease, code).put("commandExit", code), code);
    }

    private static String exit(int code) {
        boolean signal = code > ExitCode.SIGNAL_BASE && code <= ExitCode.SIGNAL_BASE + LAST_SIGNAL;
        return "exit " + code + (signal ? " (signal " + (code - ExitCode.SIGNAL_BASE) + ")" : "");
    }

    /**
     * Appends to the log of runs. The log only informs people, so a failure to write it does not
     * change the outcome.
     */
    private void record(String kind, LeaseName name, @Nullable FencingToken token, String detail) {
        try {
            RunEntry.Renewals renewals = token == null
                    ? null
                    : new RunEntry.Renewals(
                            options.terms().ttl(), options.terms().heartbeat(), handle.renewals(), handle.longestGap());
            RunEntry entry = new RunEntry(Instant.now(), kind, token, leases.holder(), duration(), detail, renewals);
            RunLog log = new RunLog(leases.store().register());
            if (afterExpiry != null) {
                recordVanished(log, afterExpiry);
            }
            log.append(name, entry.from(RunOrigin.of(options.command(), invocation.environment(), null)));
        } catch (StoreUnavailableException | StoreCorruptException e) {
            invocation.console().say("warning: 'explain' will not show this run: " + e.getMessage());
        }
    }

    /** A run that was killed together with its supervisor could not record its end. */
    private void recordVanished(RunLog log, Lease lease) {
        LeaseName name = lease.grant().name();
        List<Transfer> transfers = leases.store().history(name, 2);
        if (transfers.size() < 2) {
            return;
        }
        Transfer previous = transfers.get(1);
        for (RunEntry known : log.of(name).newestFirst()) {
            if (known.isRun() && previous.token().equals(known.token())) {
                return;
            }
        }
        RunEntry.Renewals none =
                new RunEntry.Renewals(options.terms().ttl(), options.terms().heartbeat(), 0, Duration.ZERO);
        String detail = "its lease expired without a release, as " + lease.grant() + " noticed";
        log.append(
                name,
                new RunEntry(
                        previous.at(), "expired", previous.token(), previous.holder(), Duration.ZERO, detail, none));
    }

    private Json json(String outcome, Lease lease, int code) {
        return json(outcome, lease.grant().name(), code)
                .put("token", lease.grant().token().value())
                .put("renewals", handle.renewals())
                .put("longestGapMs", handle.longestGap());
    }

    private Json json(String outcome, LeaseName name, int code) {
        return new Json()
                .put("outcome", outcome)
                .put("exit", code)
                .put("name", name)
                .put("key", options.workId() == null ? null : options.workId().key())
                .put("holder", leases.holder())
                .put("durationMs", duration());
    }

    private Duration duration() {
        return started.elapsedUntil(ticker.read());
    }

    private int write(Json report, int code) {
        if (options.report() != null) {
            try {
                Files.writeString(options.report(), report + "\n", StandardCharsets.US_ASCII);
            } catch (IOException e) {
                invocation.console().error("warning: the report could not be written: " + e.getMessage());
            }
        }
        return code;
    }
}
