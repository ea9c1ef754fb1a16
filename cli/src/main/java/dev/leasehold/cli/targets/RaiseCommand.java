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
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
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
        Console console = invocation.console();
        Grant grant = ShownGrant.ofOptions(invocation);
        List<TargetOption> targets =
                TargetOption.parse("TARGET", invocation.arguments().positionals(), invocation);
        TargetOption first = targets.get(0);
        try {
            TokenCheck.require(invocation, grant, () -> first.state(grant.name(), invocation));
        } catch (TokenCheck.RefusedByStore refused) {
            return Refusals.report(invocation, first, first.whole(), grant, refused);
        }
        for (TargetOption target : targets) {
            target.warnOfWeakness(invocation);
            if (target.raise(grant, invocation) instanceof Admission.Refused refused) {
                return Refusals.report(invocation, target, target.whole(), grant, refused);
            }
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
