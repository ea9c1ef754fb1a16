package dev.leasehold.cli.run;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.leased.CommandHandle;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.RelativeTime;
import dev.leasehold.cli.runs.RunEntry;
import dev.leasehold.cli.runs.RunLog;
import dev.leasehold.cli.targets.TargetOption;
import dev.leasehold.model.Admission;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Loss;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.Ticker;
import dev.leasehold.work.Claim;
import dev.leasehold.work.WorkItem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Tells what became of a run: to the person, to the store's log for {@code explain}, to the report file; returns the code. */
public final class RunReport {
    private final Invocation invocation;
    private final RunPlan plan;
    private final Leases leases;
    private final Ticker ticker;
    private final CommandHandle handle;
    private ClockReading started;

    RunReport(Invocation invocation, RunPlan plan, Leases leases, Ticker ticker, CommandHandle handle) {
        this.invocation = invocation;
        this.plan = plan;
        this.leases = leases;
        this.ticker = ticker;
        this.handle = handle;
        this.started = ticker.read();
    }

    /** The duration of the run counts from here. */
    void acquired() {
        started = ticker.read();
    }

    int skipped(AcquireResult.Busy busy) {
        LeaseName name = plan.names().get(0);
        String line = AcquireCommand.busyLine(plan.names().get(plan.names().size() - 1), busy);
        invocation.console().say(line + "; skipped");
        record("skipped_overlap", name, null, line);
        return write(json("skipped", name, plan.skipExit()).put("detail", line), plan.skipExit());
    }

    /** A signal came while there was no command to pass it on to. */
    int interrupted(int code) {
        return write(json("interrupted", plan.names().get(0), code), code);
    }

    int refused(Lease lease, TargetOption guard, Admission.Refused refused) {
        // The grant is current, we hold it. A target that has seen a higher token than the current one has seen the
        // future.
        String explanation = refused instanceof Admission.Stale stale
                ? Admission.repairAdvice(lease.grant(), stale.raised())
                : refused.explanation();
        String detail = guard + " refused the token, the command was not started: " + explanation;
        invocation.console().error(detail);
        record("stale_refused", lease.grant().name(), lease.grant().token(), detail);
        return write(json("refused", lease, ExitCode.STALE).put("detail", detail), ExitCode.STALE);
    }

    /** A key that is done is not run again. Not a failure, and not a skip: there is nothing left to do. */
    int alreadyDone(WorkItem item) {
        String result = item.result() == null ? "" : ", result: " + item.result();
        String line = "key " + item.id().key() + " of " + item.id().name() + " is done since "
                + RelativeTime.at(item.since()) + ", not run again" + result;
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
            return write(json("skipped", lease, plan.skipExit()).put("detail", line), plan.skipExit());
        }
        boolean input = refused instanceof Claim.OtherInput;
        int code = input ? ExitCode.USAGE : ExitCode.STALE;
        invocation.console().error("nothing was run: " + line);
        record(
                input ? "failed" : "stale_refused",
                lease.grant().name(),
                lease.grant().token(),
                line);
        return write(json("refused", lease, code).put("detail", line), code);
    }

    public int notCompleted(Lease lease, int commandCode, String why) {
        String line = "the command ended well, but its key was not completed: " + why;
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
        record("failed", lease.grant().name(), lease.grant().token(), detail);
        return write(json("failed", lease, ExitCode.NOT_EXECUTABLE).put("detail", detail), ExitCode.NOT_EXECUTABLE);
    }

    public int lost(Lease lease, int commandCode) {
        Loss loss = lease.loss().orElse(new Loss.Lapsed("its trusted time passed"));
        invocation.console().error("lost " + lease.grant() + ", the command was stopped: " + loss.explanation());
        record(loss.kind().counter(), lease.grant().name(), lease.grant().token(), loss.explanation());
        return write(
                json("lost", lease, ExitCode.LOST)
                        .put("commandExit", commandCode)
                        .put("loss", loss.kind().word())
                        .put("detail", loss.explanation()),
                ExitCode.LOST);
    }

    public int timedOut(Lease lease, int commandCode) {
        String detail = "the command ran into its --timeout and was stopped";
        invocation.console().error(detail);
        record("timed_out", lease.grant().name(), lease.grant().token(), detail);
        return write(
                json("timed-out", lease, ExitCode.TIMEOUT)
                        .put("commandExit", commandCode)
                        .put("detail", detail),
                ExitCode.TIMEOUT);
    }

    public int ran(Lease lease, int code) {
        record(code == 0 ? "ran" : "failed", lease.grant().name(), lease.grant().token(), "exit " + code);
        return write(json("ran", lease, code).put("commandExit", code), code);
    }

    /** The log is for people: that it cannot be written changes nothing about the run. */
    private void record(String kind, LeaseName name, @Nullable FencingToken token, String detail) {
        try {
            RunEntry.Renewals renewals = token == null
                    ? null
                    : new RunEntry.Renewals(
                            plan.terms().ttl(), plan.terms().heartbeat(), handle.renewals(), handle.longestGap());
            RunEntry entry = new RunEntry(Instant.now(), kind, token, leases.holder(), duration(), detail, renewals);
            new RunLog(leases.store().register()).append(name, entry);
        } catch (StoreUnavailableException | StoreCorruptException e) {
            invocation.console().say("warning: this run will not show in 'explain': " + e.getMessage());
        }
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
                .put("key", plan.work() == null ? null : plan.work().id().key())
                .put("holder", leases.holder())
                .put("durationMs", duration());
    }

    private Duration duration() {
        return started.elapsedUntil(ticker.read());
    }

    private int write(Json report, int code) {
        if (plan.report() != null) {
            try {
                Files.writeString(plan.report(), report + "\n", StandardCharsets.US_ASCII);
            } catch (IOException e) {
                invocation.console().error("warning: the report could not be written: " + e.getMessage());
            }
        }
        return code;
    }
}
