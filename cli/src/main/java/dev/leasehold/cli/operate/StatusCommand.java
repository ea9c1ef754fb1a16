package dev.leasehold.cli.operate;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.cli.output.RelativeTime;
import dev.leasehold.cli.output.StateInWords;
import dev.leasehold.cli.output.Table;
import dev.leasehold.cli.output.Terminal;
import dev.leasehold.cli.targets.RememberedTargets;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseRecord;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code leasehold status}: shows who holds which lease, and how much time is left. */
public final class StatusCommand implements Command {
    private static final Duration REFRESH = Duration.ofSeconds(2);
    private static final String CLEAR_SCREEN = "\033[H\033[2J";

    private static final Option WATCH = Option.flag("watch", "refresh every 2 seconds until interrupted");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("status", "show who holds which lease, with the time left")
                .description(
                        """
                        Shows all leases of the store, or one with its targets. States: held; released (free); expired (free: its holder
                        stopped renewing without a release); resting (released, but taken until its --min-hold passes).
                        Health: working (reports progress); alive (renews, reports no progress); stuck (renews, but has
                        reported no progress for a whole ttl); dead (stopped renewing). The answer is a moment old, so
                        do not rely on it before a write: let the target check the token.""")
                .positional(Positional.optional("NAME", Kind.LEASE_NAME))
                .option(WATCH)
                .example("leasehold status --watch");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        Arguments arguments = invocation.arguments();
        LeaseName name = arguments.positionals().isEmpty() ? null : arguments.leaseName(0);
        boolean watch = arguments.has(WATCH);
        boolean clear = watch && !invocation.json() && Terminal.isOnStdout();
        Console console = invocation.console();
        try (LeaseStore store = invocation.openStoreToRead()) {
            while (true) {
                if (clear) {
                    console.out().print(CLEAR_SCREEN);
                }
                int code = show(invocation, store, name);
                // When the reader (a pager, head) is gone, watching ends without an error.
                if (!watch || console.out().checkError()) {
                    return code;
                }
                Thread.sleep(REFRESH.toMillis());
                if (!clear && !invocation.json()) {
                    console.print("");
                }
            }
        }
    }

    private static int show(Invocation invocation, LeaseStore store, @Nullable LeaseName name) {
        List<String> damage = new ArrayList<>();
        List<LeaseSnapshot> leases = name == null
                ? new LeaseList(store).all(damage)
                : store.inspect(name).map(List::of).orElse(List.of());
        List<KnownTarget> targets = name == null || leases.isEmpty() ? List.of() : targets(store, name, damage);
        Console console = invocation.console();
        ForgottenNames.Forgotten forgotten = name == null || leases.isEmpty()
                ? null
                : new ForgottenNames(store.register()).find(leases.get(0)).orElse(null);
        if (name != null && forgotten != null) {
            if (invocation.json()) {
                console.print(forgotten(name, forgotten).toString());
            } else {
                console.tell(forgotten.words(name));
            }
        } else if (invocation.json()) {
            for (LeaseSnapshot lease : leases) {
                Json json = JsonViews.snapshot(lease);
                console.print((name == null ? json : json.put("targets", RememberedTargets.json(targets))).toString());
            }
            if (leases.isEmpty() && name != null) {
                console.print(new Json()
                        .put("name", name)
                        .put("state", "never-held")
                        .put("free", true)
                        .toString());
            }
        } else if (leases.isEmpty() && damage.isEmpty()) {
            console.tell(name == null ? "no leases yet" : name + " is free: it was never held in this store");
        } else {
            table(leases).lines().forEach(console::print);
            if (!targets.isEmpty()) {
                console.print("");
                RememberedTargets.lines(targets, leases.get(0).at()).forEach(console::print);
            }
        }
        damage.forEach(console::error);
        return damage.isEmpty() ? ExitCode.OK : ExitCode.UNAVAILABLE;
    }

    private static List<KnownTarget> targets(LeaseStore store, LeaseName name, List<String> damage) {
        try {
            return new TargetMemory(store.register()).of(name);
        } catch (StoreCorruptException e) {
            damage.add(String.valueOf(e.getMessage()));
            return List.of();
        }
    }

    private static Json forgotten(LeaseName name, ForgottenNames.Forgotten forgotten) {
        return new Json()
                .put("name", name)
                .put("state", "forgotten")
                .put("free", true)
                .put("token", forgotten.token().value())
                .put("forgottenAt", forgotten.at())
                .put("by", forgotten.by())
                .put("reason", forgotten.reason());
    }

    private static Table table(List<LeaseSnapshot> leases) {
        Table table = new Table("NAME", "STATE", "TOKEN", "HOLDER", "HEALTH", "LEFT", "ACQUIRED", "PROGRESS");
        for (LeaseSnapshot snapshot : leases) {
            LeaseRecord lease = snapshot.lease();
            table.row(
                    lease.name().value(),
                    snapshot.state().word(),
                    lease.token().toString(),
                    lease.owner().holder().value(),
                    health(snapshot),
                    snapshot.isFree() ? "-" : DurationText.show(snapshot.remaining()),
                    RelativeTime.ago(lease.owner().at(), snapshot.at()),
                    progress(lease.progress(), snapshot));
        }
        return table;
    }

    private static String health(LeaseSnapshot snapshot) {
        String health = StateInWords.health(snapshot);
        return health.equals("none") ? "-" : health;
    }

    private static String progress(LeaseRecord.@Nullable Progress progress, LeaseSnapshot snapshot) {
        if (progress == null) {
            return "-";
        }
        String age = RelativeTime.ago(progress.at(), snapshot.at());
        return progress.note() == null ? age : age + ": " + progress.note();
    }
}
