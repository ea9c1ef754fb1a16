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
                .option(Observation.OPTION);
    }

    static boolean isOnce(Invocation invocation) {
        return invocation.arguments().has(ONCE);
    }

    /**
     * Writes the target and returns the exit code.
     *
     * @param done the outcome in JSON if the fence admits the write
     */
    static <W> int make(Invocation invocation, DiskFence<W> fence, Path target, W content, String done)
            throws InterruptedException {
        Console console = invocation.console();
        Grant grant = ShownGrant.ofOptions(invocation);
        fence.weakness().ifPresent(weakness -> console.say("warning: " + weakness));
        Admission admission = isOnce(invocation) ? fence.admitOnce(grant, content) : fence.admit(grant, content);
        if (admission instanceof Admission.Refused refused) {
            return Refusals.report(invocation, target, grant, refused);
        }
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
