package dev.leasehold.cli.work;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.leased.LeasedCommand;
import dev.leasehold.cli.leased.UnlimitedCommand;
import dev.leasehold.internal.SystemTicker;
import dev.leasehold.model.Grant;
import dev.leasehold.model.OperationId;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.SideEffect;
import dev.leasehold.work.SideEffect.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** {@code leasehold once}: runs a command that must not be repeated, such as one that sends a mail. */
public final class OnceCommand implements Command {
    static final String VARIABLE = "LEASEHOLD_OPERATION_ID";
    private static final Option NOT_MADE = Option.of(
            "not-made-exit", "N", Kind.NUMBER, "the exit code by which COMMAND says that it certainly did nothing");
    /** No command ends with this code. */
    private static final long NONE = -1;

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("once", "run a command that must not be repeated, such as one that sends a mail")
                .description(
                        """
                        For a call to a system that cannot check a token. Records in the store that the operation ID begins,
                        runs COMMAND, and records that it was made if COMMAND exits with 0. COMMAND finds ID in
                        LEASEHOLD_OPERATION_ID and should pass it on as an idempotency key. An operation that was made is
                        not made again: exit 0. If COMMAND fails or this program dies, the outcome is unknown, and every
                        later call ends with 14 without running COMMAND, until a person has asked the target and says
                        'leasehold settle ID'. A stale token is refused (13). A window remains: a process that is paused
                        between the check and the call makes it late.""")
                .positional(Positional.of("ID", Kind.TEXT))
                .passthrough("COMMAND...")
                .withoutJson("stdout belongs to the command")
                .option(SharedOptions.NAME)
                .option(SharedOptions.TOKEN)
                .option(NOT_MADE)
                .example("leasehold once invoice-7-mail -- ./send-mail invoice-7.txt");
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Arguments arguments = invocation.arguments();
        OperationId id = SettleCommand.operation(arguments);
        long notMade = arguments.number(NOT_MADE, 1, 255, NONE);
        Grant grant = ShownGrant.ofOptions(invocation);
        List<String> command = arguments.passthrough();
        int impossible = LeasedCommand.lookUp(invocation, command.get(0));
        if (impossible != 0) {
            return impossible;
        }
        try (LeaseStore store = invocation.openStore()) {
            SideEffect effects = new SideEffect(store, new SystemTicker());
            SideEffect.Start start = effects.begin(grant, id);
            if (start instanceof SideEffect.Start.Answered answered) {
                return notRun(invocation, grant, id, answered.outcome());
            }
            int code = runBegun(invocation, id, command);
            SideEffect.Begun begun = ((SideEffect.Start.Begins) start).operation();
            if (code == 0 || code == notMade || isNotStarted(code)) {
                record(invocation, effects, grant, begun, new SideEffect.Answer(code == 0, "exit " + code));
            } else {
                invocation
                        .console()
                        .error("the command failed (exit " + code + "): whether it took effect is unknown. "
                                + advice(grant, id));
            }
            return code;
        }
    }

    private static boolean isNotStarted(int code) {
        return code == ExitCode.NOT_EXECUTABLE || code == ExitCode.NOT_FOUND;
    }

    private static int runBegun(Invocation invocation, OperationId id, List<String> command)
            throws InterruptedException {
        try {
            return UnlimitedCommand.run(command, Map.of(VARIABLE, id.value()));
        } catch (IOException e) {
            invocation.console().error("the command could not be started: " + e.getMessage());
            return ExitCode.NOT_EXECUTABLE;
        }
    }

    /** A failure to record does not change what the command did. */
    private static void record(
            Invocation invocation, SideEffect effects, Grant grant, SideEffect.Begun begun, SideEffect.Answer answer) {
        boolean recorded;
        try {
            recorded = effects.end(grant, begun, answer);
        } catch (RuntimeException e) {
            invocation.console().error("the outcome could not be recorded: " + e.getMessage());
            recorded = false;
        }
        if (!recorded) {
            invocation
                    .console()
                    .error("that " + begun.operation() + (answer.made() ? " was made" : " was not made")
                            + " is not recorded. " + advice(grant, begun.operation()));
        }
    }

    private static int notRun(Invocation invocation, Grant grant, OperationId id, Outcome outcome) {
        if (outcome instanceof Outcome.MadeBefore made) {
            invocation.console().say(id + " was made before, under token " + made.by() + "; nothing was run");
            return ExitCode.OK;
        }
        if (outcome instanceof Outcome.Unknown unknown) {
            invocation.console().error(unknown.begun().explanation() + ". Nothing was run. " + advice(grant, id));
            return ExitCode.UNKNOWN;
        }
        invocation.console().error(((Outcome.Refused) outcome).why() + "; nothing was run");
        return ExitCode.STALE;
    }

    private static String advice(Grant grant, OperationId id) {
        return "Ask the target, then run 'leasehold settle " + id + " --name " + grant.name()
                + " --reason ... --made', or --not-made";
    }
}
