package dev.leasehold.cli.work;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.output.Json;
import dev.leasehold.internal.SystemTicker;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.model.OperationId;
import dev.leasehold.work.SideEffect;
import dev.leasehold.work.SideEffect.Outcome;

/** {@code leasehold settle}: a person records whether an operation of {@code once} took effect. */
public final class SettleCommand implements Command {
    private static final Option MADE = Option.flag("made", "the target acted: the operation is never made again");
    private static final Option NOT_MADE = Option.flag("not-made", "the target did not act: the operation may be made");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("settle", "record the outcome of an operation of 'once' that is unknown")
                .description(
                        """
                        For an operation whose command failed or died: ask the target whether it acted, with the ID as the
                        idempotency key, and record the answer. Takes the lease for a moment, so that no run is working at
                        the same time; exit 11 if it is held. An operation that is known to have been made stays so.""")
                .positional(Positional.of("ID", Kind.TEXT))
                .option(SharedOptions.NAME)
                .option(MADE)
                .option(NOT_MADE)
                .option(SharedOptions.REASON)
                .option(SharedOptions.OPERATOR)
                .example("leasehold settle invoice-7-mail --name billing --made --reason 'it is in the outbox'");
    }

    static OperationId operation(Arguments arguments) {
        String text = arguments.positionals().get(0);
        try {
            return OperationId.of(text);
        } catch (IllegalArgumentException e) {
            throw Arguments.bad("ID", text, e);
        }
    }

    @Override
    public int run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        OperationId id = operation(arguments);
        LeaseName name = arguments.leaseName(SharedOptions.NAME);
        Note reason = SharedOptions.reason(arguments);
        if (name == null) {
            throw new UsageException("'settle' needs --name: the lease of the operation");
        }
        if (arguments.has(MADE) == arguments.has(NOT_MADE)) {
            throw new UsageException("say either --made or --not-made");
        }
        Holder operator = SharedOptions.holder(invocation);
        Leases.Builder builder = Leases.over(invocation.openStore());
        try (Leases leases = (operator == null ? builder : builder.holder(operator)).build()) {
            SideEffect effects = new SideEffect(leases.store(), new SystemTicker());
            if (effects.find(name, id).isEmpty()) {
                throw new UsageException("nothing is recorded of operation " + id + " of " + name
                        + ": check the ID and --name; nothing was changed");
            }
            AcquireResult result = leases.tryAcquire(name.value());
            if (result instanceof AcquireResult.Busy busy) {
                invocation
                        .console()
                        .say(name + " is held by " + busy.holder() + " (token " + busy.token()
                                + "): settle the operation when its run has ended; nothing was changed");
                return ExitCode.BUSY;
            }
            try (Lease lease = ((AcquireResult.Acquired) result).held()) {
                return settle(invocation, effects, lease, id, reason);
            }
        }
    }

    private static int settle(Invocation invocation, SideEffect effects, Lease lease, OperationId id, Note reason) {
        boolean made = invocation.arguments().has(MADE);
        Admission admission = effects.settle(lease.grant(), id, new SideEffect.Answer(made, "settled: " + reason));
        if (admission instanceof Admission.Refused refused) {
            invocation.console().error(refused.explanation() + "; nothing was changed");
            return ExitCode.STALE;
        }
        LeaseName name = lease.grant().name();
        Outcome now = effects.find(name, id).orElse(null);
        boolean isMade = now instanceof Outcome.MadeBefore;
        if (invocation.json()) {
            invocation
                    .console()
                    .print(new Json()
                            .put("outcome", isMade ? "made" : "not-made")
                            .put("name", name)
                            .put("id", id)
                            .toString());
        }
        invocation
                .console()
                .say(
                        isMade
                                ? id + " is recorded as made" + (made ? "" : ", and stays so: its outcome was known")
                                : id + " is recorded as not made, and may be made again");
        return ExitCode.OK;
    }
}
