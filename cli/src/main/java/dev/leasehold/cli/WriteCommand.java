package dev.leasehold.cli;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.output.Console;
import dev.leasehold.guard.Content;
import dev.leasehold.guard.FencedFile;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import java.nio.file.Path;

/** {@code leasehold write}: stdin replaces a file, unless the token is stale. */
final class WriteCommand implements Command {
    private static final Option ONCE =
            Option.flag("once", "each token may write only once; the same content again is no error");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("write", "replace a file by stdin, unless the token is stale")
                .description(
                        """
                        Reads stdin to its end, then replaces FILE atomically, if the file has seen no higher token.
                        Check and replacement are one step: a run that was paused and lost its lease cannot get in
                        between. Inside 'leasehold run' name and token come from the environment. Exit 13 if the token
                        is stale; then FILE is as it was.""")
                .positional(Positional.of("FILE", Kind.FILE))
                .option(SharedOptions.NAME)
                .option(SharedOptions.TOKEN)
                .option(ONCE)
                .example("./render | leasehold write public/index.html --name daily-publish --token 42");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        Arguments arguments = invocation.arguments();
        Console console = invocation.console();
        Path path = FileTargets.parse("FILE", arguments.positionals().get(0));
        Grant grant = ShownGrant.ofOptions(invocation);
        FencedFile file = FencedFile.at(path);
        file.weakness().ifPresent(weakness -> console.say("warning: " + weakness));
        Content stdin = out -> console.in().transferTo(out);
        Admission admission = arguments.has(ONCE) ? file.admitOnce(grant, stdin) : file.admit(grant, stdin);
        if (admission instanceof Admission.Refused refused) {
            return Refusals.tell(invocation, path, grant, refused);
        }
        boolean again = admission instanceof Admission.AlreadyWritten;
        if (invocation.json()) {
            console.print(JsonViews.outcome(again ? "already-written" : "written", grant)
                    .put("target", path)
                    .toString());
        } else if (again) {
            console.say(path + " had been written by " + grant + " before, with the same content");
        }
        return ExitCode.OK;
    }
}
