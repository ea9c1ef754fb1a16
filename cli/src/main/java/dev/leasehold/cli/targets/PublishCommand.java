package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.child.Interruption;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.ShownGrant;
import dev.leasehold.cli.output.ProgressBar;
import dev.leasehold.fence.FencedDirectory;
import dev.leasehold.model.Admission;
import dev.leasehold.model.Grant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * {@code leasehold publish}: replaces a published directory in one step, unless the token is stale.
 */
public final class PublishCommand implements Command {
    private static final int DEFAULT_KEPT = 3;
    private static final int MOST_KEPT = 1000;
    private static final Option KEEP =
            Option.of("keep", "N", Kind.NUMBER, "how many earlier versions to keep (default: 3)");

    @Override
    public CommandSpec spec() {
        return FencedWrite.options(
                        CommandSpec.of("publish", "publish a whole directory in one step, unless the token is stale")
                                .description(
                                        """
                        Copies DIR beside TARGET, then makes TARGET a link to the copy, by one rename, if TARGET has seen
                        no higher token. A reader of TARGET sees the old tree or the new one, never a mixture. Earlier
                        versions stay in .TARGET.leasehold and can be published again. If TARGET is an ordinary
                        directory, move it away first. Exit 13 if the token is stale; then TARGET is unchanged.""")
                                .positional(Positional.of("DIR", Kind.FILE))
                                .positional(Positional.of("TARGET", Kind.FILE)))
                .option(KEEP)
                .option(ForeignChange.STRICT)
                .example("leasehold publish build/site /srv/www/site --name daily-publish --token 42");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        Arguments arguments = invocation.arguments();
        Path tree = FileTargets.parse("DIR", arguments.positionals().get(0));
        Path target = FileTargets.parse("TARGET", arguments.positionals().get(1));
        FencedDirectory directory =
                FencedDirectory.at(target).keeping((int) arguments.number(KEEP, 0, MOST_KEPT, DEFAULT_KEPT));
        Grant grant = ShownGrant.ofOptions(invocation);
        Admission.Refused changed = ForeignChange.look(target, grant, invocation);
        if (changed != null) {
            return Refusals.report(invocation, target, grant, changed);
        }
        return publish(invocation, Observation.isWanted(invocation) ? directory.observing() : directory, target, tree);
    }

    /** Zero if they cannot be counted: then the copying tells why. */
    private static long filesBelow(Path tree) {
        try (Stream<Path> entries = Files.walk(tree)) {
            return entries.filter(entry -> Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS))
                    .count();
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }

    /** Ctrl-C ends it while files are copied, and not after that: then it is a moment from its end. */
    private static int publish(Invocation invocation, FencedDirectory directory, Path target, Path tree)
            throws InterruptedException {
        ProgressBar progress = new ProgressBar(invocation.console(), "files copied", filesBelow(tree));
        try (progress;
                Interruption interruption =
                        new Interruption(() -> invocation.console().say("ending after the current file"))) {
            FencedDirectory reported = directory.reporting(files -> {
                progress.accept(files);
                interruption.check();
            });
            return FencedWrite.ofTree(invocation, reported, target, tree);
        } catch (Interruption.Requested e) {
            invocation
                    .console()
                    .error("interrupted after " + progress.done() + " files were copied; nothing was published, and the"
                            + " copies were removed");
            return ExitCode.INTERRUPTED;
        }
    }
}
