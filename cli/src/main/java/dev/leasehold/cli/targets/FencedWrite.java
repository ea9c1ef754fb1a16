package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.fence.Content;
import dev.leasehold.fence.DiskFence;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import java.nio.file.Path;

/**
 * Implements write, publish and append: shows the grant to the fence and reports the answer. Push
 * shares the options.
 */
final class FencedWrite {
    private static final Option ONCE =
            Option.flag("once", "let each token write only once; repeating the same content is not an error");

    private FencedWrite() {}

    static CommandSpec options(CommandSpec spec) {
        return spec.option(SharedOptions.NAME)
                .option(SharedOptions.TOKEN)
                .option(ONCE)
                .option(TokenCheck.NO_CHECK)
                .option(Observation.OPTION);
    }

    static boolean isOnce(Invocation invocation) {
        return invocation.arguments().has(ONCE);
    }

    /**
     * Writes stdin to the target and returns the exit code. The store is asked about the token when
     * stdin has ended, because that may take long.
     *
     * @param done the outcome in JSON if the fence admits the write
     */
    static int ofStdin(Invocation invocation, DiskFence<Content> fence, Path target, String done)
            throws InterruptedException {
        Grant grant = ShownGrant.ofOptions(invocation);
        OtherTargets.refuse(target, grant, invocation);
        TokenCheck check = new TokenCheck(invocation, grant, TargetOption.file(target));
        Content content = out -> {
            invocation.console().in().transferTo(out);
            check.requireWhileStaging();
        };
        try {
            return make(invocation, check, grant, fence, target, content, done);
        } catch (TokenCheck.RefusedByStore refused) {
            return refused(invocation, grant, target, refused);
        }
    }

    /** Publishes a directory and returns the exit code. */
    static int ofTree(Invocation invocation, DiskFence<Path> fence, Path target, Path tree)
            throws InterruptedException {
        Grant grant = ShownGrant.ofOptions(invocation);
        OtherTargets.refuse(target, grant, invocation);
        TokenCheck check = new TokenCheck(invocation, grant, TargetOption.file(target));
        try {
            check.require();
        } catch (TokenCheck.RefusedByStore refused) {
            return refused(invocation, grant, target, refused);
        }
        return make(invocation, check, grant, fence, target, tree, "published");
    }

    static int refused(Invocation invocation, Grant grant, Path target, TokenCheck.RefusedByStore refused)
            throws InterruptedException {
        return Refusals.report(invocation, TargetOption.file(target), grant, refused);
    }

    private static <W> int make(
            Invocation invocation,
            TokenCheck check,
            Grant grant,
            DiskFence<W> fence,
            Path target,
            W content,
            String done)
            throws InterruptedException {
        Console console = invocation.console();
        fence.weakness().ifPresent(weakness -> console.say("warning: " + weakness));
        Admission admission = isOnce(invocation) ? fence.admitOnce(grant, content) : fence.admit(grant, content);
        if (admission instanceof Admission.Refused refused) {
            return Refusals.report(invocation, target, grant, refused);
        }
        check.remember();
        Admission.Refused instead = admission instanceof Admission.Observed observed ? observed.instead() : null;
        boolean again = admission instanceof Admission.AlreadyWritten;
        if (Observation.isWanted(invocation)) {
            Observation.report(invocation, target, grant, instead);
        }
        if (invocation.json()) {
            Json json =
                    JsonViews.outcome(again ? "already-written" : done, grant).put("target", target);
            console.print((instead == null ? json : json.put("wouldRefuse", Refusals.outcome(instead))).toString());
        } else if (again) {
            console.say(target + " was already written by " + grant + " with the same content");
        }
        return ExitCode.OK;
    }
}
