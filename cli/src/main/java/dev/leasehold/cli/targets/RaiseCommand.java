package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import java.util.ArrayList;
import java.util.List;

/** {@code leasehold raise}: makes targets refuse older tokens before the work starts. */
public final class RaiseCommand implements Command {
    @Override
    public CommandSpec spec() {
        return CommandSpec.of("raise", "make targets refuse older tokens before work starts")
                .description(
                        """
                        Raises each target to the token, so that it refuses older ones before anything is written. A
                        target is a file, a published directory, a log, a directory that is written in place, or a git
                        remote (a URL, a bare repository, or the name of a remote). A name of which nothing exists is
                        refused if it looks like a remote; write file:PATH for a file that is yet to be made. Raise
                        targets when work starts, before the first read. Otherwise a late write of the previous run can
                        come between your read and your write. Exit 13 if a target has seen a higher token; the targets
                        after it are not raised.""")
                .positional(Positional.several("TARGET", Kind.FILE))
                .option(SharedOptions.NAME)
                .option(SharedOptions.TOKEN)
                .option(TokenCheck.NO_CHECK)
                .option(ForeignChange.STRICT)
                .example("leasehold raise public/index.html public/feed.xml --name daily-publish --token 42");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        Grant grant = ShownGrant.ofOptions(invocation);
        List<TargetOption> targets =
                TargetOption.parse("TARGET", invocation.arguments().positionals(), invocation);
        TargetOption first = targets.get(0);
        TokenCheck check = new TokenCheck(invocation, grant, first);
        try {
            check.require();
        } catch (TokenCheck.RefusedByStore refused) {
            return Refusals.report(invocation, first, grant, refused);
        }
        List<TargetOption> raised = new ArrayList<>();
        try {
            return raise(invocation, grant, targets, check.known(), raised);
        } finally {
            check.remember(raised);
        }
    }

    private static int raise(
            Invocation invocation,
            Grant grant,
            List<TargetOption> targets,
            List<KnownTarget> known,
            List<TargetOption> raised)
            throws InterruptedException {
        Console console = invocation.console();
        for (TargetOption target : targets) {
            target.warnOfWeakness(invocation);
            if (target.raise(grant, known, invocation) instanceof Admission.Refused refused) {
                return Refusals.report(invocation, target, grant, refused);
            }
            raised.add(target);
            if (invocation.json()) {
                console.print(
                        JsonViews.outcome("raised", grant).put("target", target).toString());
            } else {
                console.say(target + " raised to " + grant);
            }
        }
        return ExitCode.OK;
    }
}
