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

/** What write, publish, append and (as far as options go) push have in common: a grant is shown, the answer is told. */
final class FencedWrite {
    private static final Option ONCE =
            Option.flag("once", "each token may write only once; the same content again is no error");

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
     * Returns the exit code.
     *
     * @param done what happened if the fence agrees, in one word for scripts
     */
    static <W> int make(Invocation invocation, DiskFence<W> fence, Path target, W content, String done)
            throws InterruptedException {
        Console console = invocation.console();
        Grant grant = ShownGrant.ofOptions(invocation);
        fence.weakness().ifPresent(weakness -> console.say("warning: " + weakness));
        Admission admission = isOnce(invocation) ? fence.admitOnce(grant, content) : fence.admit(grant, content);
        if (admission instanceof Admission.Refused refused) {
            return Refusals.tell(invocation, target, grant, refused);
        }
        Admission.Refused instead = admission instanceof Admission.Observed observed ? observed.instead() : null;
        boolean again = admission instanceof Admission.AlreadyWritten;
        if (Observation.isWanted(invocation)) {
            Observation.tell(invocation, target, grant, instead);
        }
        if (invocation.json()) {
            Json json =
                    JsonViews.outcome(again ? "already-written" : done, grant).put("target", target);
            console.print((instead == null ? json : json.put("wouldRefuse", Refusals.outcome(instead))).toString());
        } else if (again) {
            console.say(target + " had been written by " + grant + " before, with the same content");
        }
        return ExitCode.OK;
    }
}
