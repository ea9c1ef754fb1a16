package dev.leasehold.cli.operate;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.targets.RememberedTargets;
import dev.leasehold.events.ForgottenNames;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.OldNames;
import dev.leasehold.events.RunLog;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Forgetting;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Note;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.ForgetRequest;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** {@code leasehold forget}: removes names that nobody needs any more, and never issues their tokens again. */
public final class ForgetCommand implements Command {
    private static final Option REASON =
            Option.of("reason", "S", Kind.TEXT, "the reason, which is recorded; needed with NAME");
    private static final Option KEEP_TARGETS =
            Option.flag("keep-targets", "forget the name although targets are still guarded by it; their fences stay");
    private static final Option OLDER_THAN = Option.of(
            "older-than", "D", Kind.DURATION, "instead of NAME: all names that have been free for longer than this");
    private static final Option PREFIX =
            Option.of("prefix", "S", Kind.TEXT, "with --older-than: only names that start with this");
    private static final Option DRY_RUN = Option.flag("dry-run", "with --older-than: only show the names");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("forget", "remove free names from the store (operators)")
                .description(
                        """
                        Removes a name that nobody needs any more, with its history and its record of runs and of slots. The
                        name must be free, and its targets must be gone. No token of a forgotten name is issued again: all
                        new names of the store start above the highest forgotten token. Work items stay; 'leasehold work
                        --prune' removes them. With --older-than, forgets every name that has been free for that long and has
                        neither a remembered target nor slots.""")
                .positional(Positional.optional("NAME", Kind.LEASE_NAME))
                .option(REASON)
                .option(SharedOptions.HOLDER)
                .option(KEEP_TARGETS)
                .option(OLDER_THAN)
                .option(PREFIX)
                .option(DRY_RUN)
                .example("leasehold forget daily-publish --reason 'replaced by hourly-publish'")
                .note(
                        "To keep a store small, run 'leasehold forget --older-than 30d' every day, or write 'keep-free: 30d'"
                                + "\ninto the file of 'leasehold up'.");
    }

    @Override
    public int run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        Duration age = arguments.duration(OLDER_THAN);
        boolean named = !arguments.positionals().isEmpty();
        if (named == (age != null)) {
            throw new UsageException("forget needs a NAME or --older-than, and not both");
        }
        if (age != null) {
            return forgetOld(invocation, age);
        }
        if (arguments.has(PREFIX) || arguments.has(DRY_RUN)) {
            throw new UsageException("--prefix and --dry-run are for --older-than only");
        }
        return forgetOne(invocation, arguments.leaseName(0));
    }

    private static int forgetOld(Invocation invocation, Duration age) {
        Arguments arguments = invocation.arguments();
        if (arguments.has(KEEP_TARGETS) || arguments.has(REASON) || arguments.has(SharedOptions.HOLDER)) {
            throw new UsageException("--older-than allows only --prefix and --dry-run beside it");
        }
        String prefix = arguments.text(PREFIX);
        boolean only = arguments.has(DRY_RUN);
        Console console = invocation.console();
        try (LeaseStore store = invocation.openStore()) {
            OldNames old = new OldNames(store, prefix == null ? "" : prefix, age);
            Consumer<LeaseSnapshot> show = lease -> console.print(
                    invocation.json()
                            ? json(only ? "old" : "forgotten", lease).toString()
                            : lease.lease().name().value());
            int count = only ? old.show(show) : old.forget(show);
            console.say(count
                    + (count == 1 ? " name " : " names ")
                    + (only ? "would be forgotten; nothing was changed" : "forgotten"));
            return ExitCode.OK;
        }
    }

    private static int forgetOne(Invocation invocation, LeaseName name) {
        Note reason = invocation.arguments().value(REASON, Note::of);
        if (reason == null) {
            throw new UsageException("--reason is missing");
        }
        Holder given = SharedOptions.holder(invocation);
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
            FencingToken token = lease.lease().token();
            Forgetting outcome =
                    store.forget(List.of(new ForgetRequest(name, token))).get(0);
            if (outcome == Forgetting.KEPT) {
                return kept(invocation, store, lease);
            }
            new ForgottenNames(store.register()).add(lease, operator, reason);
            removeLog(invocation, store, name);
            removeTargets(invocation, memory, name);
            boolean noSlots = new JobRecords(store.register()).remove(name);
            if (invocation.json()) {
                invocation.console().print(json("forgotten", lease).toString());
            }
            invocation
                    .console()
                    .say(name + " is forgotten; its last token was " + token + ", and the next grant gets a"
                            + " higher one" + (noSlots ? "" : ". Its slots stay, because some are queued or running"));
            return ExitCode.OK;
        }
    }

    private static Json json(String outcome, LeaseSnapshot lease) {
        return new Json()
                .put("outcome", outcome)
                .put("name", lease.lease().name())
                .put("token", lease.lease().token().value());
    }

    /** The store looked at the record again, in the same step. */
    private static int kept(Invocation invocation, LeaseStore store, LeaseSnapshot before) {
        LeaseSnapshot now = store.inspect(before.lease().name()).orElse(before);
        if (!now.isFree()) {
            return notFree(invocation, now);
        }
        LeaseName name = before.lease().name();
        if (invocation.json()) {
            invocation.console().print(json("kept", now).toString());
        }
        invocation
                .console()
                .error(
                        now.lease().token().value() > LeaseStore.MAX_FLOOR
                                ? name + " is not forgotten; nothing was changed. Its token "
                                        + now.lease().token()
                                        + " is so high that all new names would have to start above it"
                                : name
                                        + " was in use at the same moment, so it is not forgotten; nothing was changed. Try"
                                        + " again");
        return ExitCode.BUSY;
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
                    .print(json("still-guarded", lease)
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
            invocation.console().print(json("busy", lease).toString());
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
