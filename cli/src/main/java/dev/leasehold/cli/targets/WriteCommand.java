package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.fence.FencedFile;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import java.nio.file.Path;

/** {@code leasehold write}: replaces a file with stdin, unless the token is stale. */
public final class WriteCommand implements Command {
    @Override
    public CommandSpec spec() {
        return FencedWrite.options(CommandSpec.of("write", "replace a file with stdin, unless the token is stale")
                .description(
                        """
                        Reads stdin to its end, then replaces FILE atomically, if the file has seen no higher token. The
                        check and the replacement are one step, so a paused run that lost its lease cannot write in
                        between. Inside 'leasehold run', name and token come from the environment. The store is
                        asked first, if it answers within a second: it may know of a higher token before the file does.
                        Exit 13 if the token is stale; then FILE is unchanged.""")
                .positional(Positional.of("FILE", Kind.FILE))
                .option(ForeignChange.STRICT)
                .example("./render | leasehold write public/index.html --name daily-publish --token 42"));
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        Path path =
                FileTargets.parse("FILE", invocation.arguments().positionals().get(0));
        FencedFile file = FencedFile.at(path);
        Grant grant = ShownGrant.ofOptions(invocation);
        Admission.Refused changed = ForeignChange.look(path, grant, invocation);
        return changed == null
                ? FencedWrite.ofStdin(
                        invocation, Observation.isWanted(invocation) ? file.observing() : file, path, "written")
                : Refusals.report(invocation, path, grant, changed);
    }
}
