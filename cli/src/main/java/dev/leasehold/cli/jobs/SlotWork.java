package dev.leasehold.cli.jobs;

import dev.leasehold.Lease;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.leased.CommandEnvironment;
import dev.leasehold.cli.leased.CommandHandle;
import dev.leasehold.cli.leased.LeasedCommand;
import dev.leasehold.cli.targets.LeaseTargets;
import dev.leasehold.cli.targets.TargetOption;
import dev.leasehold.cli.targets.TargetRaising;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.jobs.Job;
import dev.leasehold.jobs.JobFailedException;
import dev.leasehold.jobs.JobRun;
import dev.leasehold.model.Admission;
import dev.leasehold.model.DurationText;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs a command for each slot of a job, under the slot's lease and key. */
public final class SlotWork implements Job.Work {
    private final LeasedCommand command;
    private final Map<String, String> environment;
    private final LeaseTargets guards;
    private final Invocation invocation;
    private final CommandEnvironment variables;
    private final RunningSlots running;
    private final @Nullable Function<JobRun, RunOutput> outputs;

    public SlotWork(
            LeasedCommand command,
            Map<String, String> environment,
            LeaseTargets guards,
            CommandEnvironment variables,
            RunningSlots running) {
        this(command, environment, guards, variables, running, null);
    }

    /** @param outputs where the output of each run goes; null for the output of this program, unchanged */
    SlotWork(
            LeasedCommand command,
            Map<String, String> environment,
            LeaseTargets guards,
            CommandEnvironment variables,
            RunningSlots running,
            @Nullable Function<JobRun, RunOutput> outputs) {
        this.outputs = outputs;
        this.command = command;
        this.environment = environment;
        this.guards = guards;
        this.invocation = variables.invocation();
        this.variables = variables;
        this.running = running;
    }

    @Override
    public void run(JobRun slot) throws JobFailedException, InterruptedException {
        Lease lease = slot.lease();
        List<TargetOption> targets = guards.of(lease.grant().name(), invocation);
        raise(targets, lease);
        Map<String, String> all = variables.variables(lease);
        all.putAll(environment);
        guards.tellOthers(lease.grant().name(), all, invocation);
        all.put(CommandEnvironment.KEY, slot.slot().key());
        all.put(CommandEnvironment.WORK, slot.slot().job().value());
        all.put(CommandEnvironment.ATTEMPT, Integer.toString(slot.attempt()));
        slot.checkpoint().ifPresent(checkpoint -> all.put(CommandEnvironment.CHECKPOINT, checkpoint.value()));
        CommandHandle handle = new CommandHandle();
        RunOutput output = outputs == null ? null : outputs.apply(slot);
        running.add(lease, handle);
        try {
            requireSuccess(command.run(lease, all, handle, output == null ? null : output.streams()));
            targets.forEach(target -> target.warnIfUnused(invocation));
        } catch (IOException e) {
            throw new JobFailedException("the command could not be started: " + e.getMessage());
        } finally {
            running.remove(lease, slot.slot(), output == null ? List.of() : output.finish());
        }
    }

    private void raise(List<TargetOption> targets, Lease lease) throws JobFailedException, InterruptedException {
        if (targets.isEmpty()) {
            return;
        }
        try (TargetRaising raising = TargetRaising.in(variables.store(), lease.grant(), invocation)) {
            for (TargetOption target : targets) {
                if (raising.raise(target) instanceof Admission.Refused refused) {
                    throw new JobFailedException(target + " refused the token: " + refused.explanation());
                }
            }
        } catch (TargetUnavailableException | IllegalArgumentException e) {
            throw new JobFailedException(String.valueOf(e.getMessage()));
        }
    }

    private void requireSuccess(LeasedCommand.Ended ended) throws JobFailedException {
        Duration timeout = command.timeout();
        if (ended.timedOut() && timeout != null) {
            throw new JobFailedException("timed out after " + DurationText.show(timeout));
        }
        if (!ended.trusted()) {
            throw JobFailedException.leaseLost("the lease was lost; the command was stopped");
        }
        if (ended.code() != 0) {
            throw new JobFailedException("exit " + ended.code()
                    + switch (ended.code()) {
                        case ExitCode.NOT_FOUND -> ": the command was not found";
                        case ExitCode.NOT_EXECUTABLE -> ": the command cannot be executed";
                        default -> "";
                    });
        }
    }
}
