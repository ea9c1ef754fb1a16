package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.child.Signals;
import dev.leasehold.cli.child.Stdio;
import dev.leasehold.cli.child.SupervisedCommand;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.leased.CommandHandle;
import dev.leasehold.cli.leased.LeasedCommand;
import dev.leasehold.cli.output.Console;
import dev.leasehold.fence.InPlaceFence;
import dev.leasehold.fence.InPlaceWork;
import dev.leasehold.model.Grant;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * {@code leasehold exec-fenced}: runs a command that writes a target in place, while the fence is
 * locked.
 */
public final class ExecFencedCommand implements Command {
    /** The command has no time limit. It must not outlive the lock, and so this process. */
    private static final Duration NO_DEADLINE = Duration.ofDays(3650);

    private static final Duration GRACE = Duration.ofSeconds(1);

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("exec-fenced", "run a command that writes a target in place, unless the token is stale")
                .description(
                        """
                        Locks the fence of TARGET, checks the token and runs COMMAND, for programs that can only write a
                        file or a directory in place. Guaranteed: a stale token is refused, and no other Leasehold
                        writer runs at the same time, even if the lease lapses meanwhile. Not guaranteed: readers may
                        see a half-written TARGET, and a crash may leave one; the next writer is then warned. Prefer
                        'write' or 'publish' if COMMAND can write elsewhere first. If this program is killed, so is
                        COMMAND.""")
                .positional(Positional.of("TARGET", Kind.FILE))
                .passthrough("COMMAND...")
                .withoutJson("stdout belongs to the command")
                .option(SharedOptions.NAME)
                .option(SharedOptions.TOKEN)
                .option(TokenCheck.NO_CHECK)
                .example("leasehold exec-fenced data.db --name nightly --token 42 -- ./compact data.db");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        Arguments arguments = invocation.arguments();
        Console console = invocation.console();
        Path target = FileTargets.parse("TARGET", arguments.positionals().get(0));
        Grant grant = ShownGrant.ofOptions(invocation);
        OtherTargets.refuse(target, grant, invocation);
        int impossible =
                LeasedCommand.lookUp(invocation, arguments.passthrough().get(0));
        if (impossible != 0) {
            return impossible;
        }
        TokenCheck check = new TokenCheck(invocation, grant, TargetOption.file(target));
        try {
            check.require();
        } catch (TokenCheck.RefusedByStore refused) {
            return FencedWrite.refused(invocation, grant, target, refused);
        }
        InPlaceFence.Entry entry = InPlaceFence.at(target).enter(grant);
        if (entry instanceof InPlaceFence.Entry.Refused refused) {
            return Refusals.report(invocation, target, grant, refused.refusal());
        }
        int code;
        try (InPlaceWork work = ((InPlaceFence.Entry.Entered) entry).work()) {
            work.halfWritten().ifPresent(warning -> console.say("warning: " + warning));
            code = runInside(console, target, work, arguments.passthrough());
        }
        // The fence cannot be read while it is locked.
        check.remember();
        return code;
    }

    private static int runInside(Console console, Path target, InPlaceWork work, List<String> command)
            throws InterruptedException {
        CommandHandle handle = new CommandHandle();
        try (Signals signals = Signals.forward(handle::signal)) {
            // The fence records the supervisor before the command starts. If this JVM is killed in
            // between, the next writer still waits for the command to end.
            SupervisedCommand running =
                    SupervisedCommand.startKnownTo(work::doneBy, command, () -> NO_DEADLINE, GRACE, Stdio.inherit());
            handle.started(running);
            int code = running.waitFor();
            if (code == 0) {
                work.finished();
            } else {
                work.failed();
                console.say("warning: the command failed (exit " + code + "): " + target
                        + " may be half written, and the next writer will be warned");
            }
            return code;
        } catch (IOException e) {
            work.finished();
            console.error("the command could not be started; nothing was written: " + e.getMessage());
            return ExitCode.NOT_EXECUTABLE;
        }
    }
}
