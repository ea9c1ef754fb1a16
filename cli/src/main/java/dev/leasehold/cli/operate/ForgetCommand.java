package dev.leasehold.cli.operate;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.targets.RememberedTargets;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.RunLog;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.LeaseStore;
import java.util.List;

/** {@code leasehold forget}: removes a name from the lists, and keeps its counter. */
public final class ForgetCommand implements Command {
    private static final Option KEEP_TARGETS =
            Option.flag("keep-targets", "forget the name although targets are still guarded by it; their fences stay");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("forget", "remove a free name from the lists (operators)")
                .description(
                        """
                        Removes a name that nobody needs any more from 'status' and 'due', with its record of runs and
                        of slots. The name must be free, and its targets must be gone. Its counter stays, so a later
                        grant of the name gets a higher token and shows it again. Work items stay; 'leasehold work
                        --prune' removes them.""")
                .positional(Positional.of("NAME", Kind.LEASE_NAME))
                .option(SharedOptions.REASON)
                .option(SharedOptions.HOLDER)
                .option(KEEP_TARGETS)
                .example("leasehold forget daily-publish --reason 'replaced by hourly-publish'");
    }

    @Override
    public int run(Invocation invocation) {
        LeaseName name = invocation.arguments().leaseName(0);
        Note reason = SharedOptions.reason(invocation.arguments());
        Holder given = SharedOptions.holder(invocation.arguments());
        Holder operator = given == null ? SystemContext.defaultHolder(new SystemIds()) : given;
        try (LeaseStore store = invocation.openStore()) {
            LeaseSnapshot lease = new LeaseList(store).existing(name);
            if (!lease.isFree()) {
                return notFree(invocation, lease);
            }
            TargetMemory memory = new TargetMemory(store.register());
            List<KnownTarget> left = invocation.arguments().has(KEEP_TARGETS)
                    ? List.of()
                    : RememberedTargets.notGone(targets(memory, name), name, invocation);
            if (!left.isEmpty()) {
                return stillGuarded(invocation, lease, left);
            }
            // A grant between the look and this record has a higher token, so the name stays
            // visible.
            new ForgottenNames(store.register()).add(lease, operator, reason);
            removeLog(invocation, store, name);
            removeTargets(invocation, memory, name);
            boolean noSlots = new JobRecords(store.register()).remove(name);
            FencingToken token = lease.lease().token();
            if (invocation.json()) {
                invocation
                        .console()
                        .print(new Json()
                                .put("outcome", "forgotten")
                                .put("name", name)
                                .put("token", token.value())
                                .toString());
            }
            invocation
                    .console()
                    .say(name + " is forgotten; its last token " + token + " is kept, and the next grant gets a"
                            + " higher one" + (noSlots ? "" : ". Its slots stay, because some are queued or running"));
            return ExitCode.OK;
        }
    }

    /** A record that cannot be read is given up with the name. */
    private static List<KnownTarget> targets(TargetMemory memory, LeaseName name) {
        try {
            return memory.of(name);
        } catch (StoreCorruptException e) {
            return List.of();
        }
    }

    private static int stillGuarded(Invocation invocation, LeaseSnapshot lease, List<KnownTarget> left) {
        LeaseName name = lease.lease().name();
        if (invocation.json()) {
            invocation
                    .console()
                    .print(new Json()
                            .put("outcome", "still-guarded")
                            .put("name", name)
                            .put("token", lease.lease().token().value())
                            .put("targets", RememberedTargets.json(left))
                            .toString());
        }
        StringBuilder targets = new StringBuilder();
        for (KnownTarget target : left) {
            targets.append(targets.isEmpty() ? "" : ", ").append(target.shown());
        }
        invocation
                .console()
                .error(name + " still guards " + targets + ", so it is not forgotten; nothing was changed. Remove the"
                        + " targets with their fences, or repeat the command with --keep-targets");
        return ExitCode.BUSY;
    }

    private static void removeTargets(Invocation invocation, TargetMemory memory, LeaseName name) {
        try {
            memory.remove(name);
        } catch (StoreCorruptException e) {
            invocation.console().say("warning: the record of its targets stays: " + e.getMessage());
        }
    }

    /** Only for tidiness, so a log that cannot be read stays. */
    private static void removeLog(Invocation invocation, LeaseStore store, LeaseName name) {
        try {
            new RunLog(store.register()).remove(name);
        } catch (StoreCorruptException e) {
            invocation.console().say("warning: the log of its runs stays: " + e.getMessage());
        }
    }

    private static int notFree(Invocation invocation, LeaseSnapshot lease) {
        LeaseName name = lease.lease().name();
        if (invocation.json()) {
            invocation
                    .console()
                    .print(new Json()
                            .put("outcome", "busy")
                            .put("name", name)
                            .put("token", lease.lease().token().value())
                            .toString());
        }
        invocation
                .console()
                .error(name + " is " + lease.state().word() + " (token "
                        + lease.lease().token() + " of " + lease.lease().owner().holder()
                        + "), so it is not forgotten; nothing was changed. Wait until it is free, or free it with"
                        + " 'leasehold cancel " + name + " --reason S'");
        return ExitCode.BUSY;
    }
}
