package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.model.Note;

/** {@code leasehold fence}: shows the fence of a target, or binds it to another store. */
public final class FenceCommand implements Command {
    private static final Option NAME =
            Option.of("name", "NAME", Kind.LEASE_NAME, "the lease; needed for a git remote, which has many fences");
    private static final Option REASON =
            Option.of("reason", "S", Kind.TEXT, "the reason, which is recorded; needed for rebind");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("fence", "show the fence of a target, or bind it to a new store")
                .description(
                        """
                        'fence show TARGET' prints what the fence remembers: its lease, its store and the highest token.
                        It also compares the fence with the store of this command. It changes nothing.
                        'fence rebind TARGET --reason S' is for a target whose store was lost, flushed or replaced. It
                        raises the token in the store of this command above every token that the fence has seen, which
                        ends the lease of a current holder, and then binds the fence to this store. The fence stays as
                        high as it was, so old tokens stay refused. Make sure first that nobody uses the old store any
                        longer. The command can be repeated if it was interrupted. If the fence is bound to this store
                        already, it changes nothing.""")
                .positional(Positional.of("show|rebind", Kind.CHOICE))
                .positional(Positional.of("TARGET", Kind.FILE))
                .option(NAME)
                .option(REASON)
                .option(SharedOptions.OPERATOR)
                .example("leasehold fence rebind public/index.html --reason 'the disk of the store died'");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        Arguments arguments = invocation.arguments();
        boolean show = arguments.positionals().get(0).equals("show");
        Note reason = arguments.value(REASON, Note::of);
        if (show && (reason != null || arguments.has(SharedOptions.OPERATOR))) {
            throw new UsageException("--reason and --holder are for 'fence rebind' only");
        }
        if (!show && reason == null) {
            throw new UsageException("--reason S is missing");
        }
        TargetOption target =
                TargetOption.known("TARGET", arguments.positionals().get(1), invocation);
        KnownFence fence = KnownFence.of(target, arguments.leaseName(NAME), invocation);
        return reason == null
                ? new FenceReport(invocation, target).print(fence)
                : new Rebinding(invocation, target).make(fence, reason);
    }
}
