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
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.cli.output.Table;
import dev.leasehold.cli.output.Terminal;
import dev.leasehold.cli.targets.RememberedTargets;
import dev.leasehold.events.ForgottenNames;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.LeasePages;
import dev.leasehold.events.RelativeTime;
import dev.leasehold.events.StateInWords;
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

    private static final Option PREFIX =
            Option.of("prefix", "S", Kind.TEXT, "only the leases whose names start with this");
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
                .option(PREFIX)
                .option(WATCH)
                .example("leasehold status --prefix nightly/ --watch");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        Arguments arguments = invocation.arguments();
        LeaseName name = arguments.positionals().isEmpty() ? null : arguments.leaseName(0);
        if (name != null && arguments.has(PREFIX)) {
            throw new UsageException("--prefix and a NAME exclude each other: leave one of them out");
        }
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
        if (name == null) {
            showAll(invocation, store, damage);
        } else {
            showOne(invocation, store, name, damage);
        }
        damage.forEach(invocation.console()::error);
        return damage.isEmpty() ? ExitCode.OK : ExitCode.UNAVAILABLE;
    }

    /** Prints each page before it reads the next one, so that the length of the list does not matter. */
    private static void showAll(Invocation invocation, LeaseStore store, List<String> damage) {
        Console console = invocation.console();
        String prefix = invocation.arguments().text(PREFIX);
        LeasePages pages = new LeasePages(store, prefix == null ? "" : prefix, damage::add);
        Table table = table();
        boolean empty = true;
        while (pages.hasNext()) {
            List<LeaseSnapshot> page = pages.next();
            empty &= page.isEmpty();
            List<String> lines = new ArrayList<>();
            if (invocation.json()) {
                page.forEach(lease -> lines.add(JsonViews.snapshot(lease).toString()));
            } else if (!empty) {
                page.forEach(lease -> addTo(table, lease));
                lines.addAll(table.nextLines());
            }
            if (!lines.isEmpty()) {
                // In one go: each call of print is a system call.
                console.print(String.join(System.lineSeparator(), lines));
            }
            // When the reader (a pager, head) is gone, the rest need not be read.
            if (console.out().checkError()) {
                return;
            }
        }
        if (empty && damage.isEmpty() && !invocation.json()) {
            console.tell(prefix == null ? "no leases yet" : "no lease starts with " + prefix);
        }
    }

    private static void showOne(Invocation invocation, LeaseStore store, LeaseName name, List<String> damage) {
        Console console = invocation.console();
        LeaseSnapshot lease = store.inspect(name).orElse(null);
        if (lease == null) {
            ForgottenNames.Forgotten forgotten =
                    new ForgottenNames(store.register()).find(name).orElse(null);
            if (invocation.json()) {
                console.print((forgotten == null ? neverHeld(name) : forgotten(forgotten)).toString());
            } else {
                console.tell(
                        forgotten == null ? name + " is free: it was never held in this store" : forgotten.words());
            }
            return;
        }
        List<KnownTarget> targets = targets(store, name, damage);
        if (invocation.json()) {
            console.print(JsonViews.snapshot(lease)
                    .put("targets", RememberedTargets.json(targets))
                    .toString());
            return;
        }
        Table table = table();
        addTo(table, lease);
        table.lines().forEach(console::print);
        if (!targets.isEmpty()) {
            console.print("");
            RememberedTargets.lines(targets, lease.at()).forEach(console::print);
        }
    }

    private static Json neverHeld(LeaseName name) {
        return new Json().put("name", name).put("state", "never-held").put("free", true);
    }

    private static List<KnownTarget> targets(LeaseStore store, LeaseName name, List<String> damage) {
        try {
            return new TargetMemory(store.register()).of(name);
        } catch (StoreCorruptException e) {
            damage.add(String.valueOf(e.getMessage()));
            return List.of();
        }
    }

    private static Json forgotten(ForgottenNames.Forgotten forgotten) {
        return new Json()
                .put("name", forgotten.name())
                .put("state", "forgotten")
                .put("free", true)
                .put("token", forgotten.token().value())
                .put("forgottenAt", forgotten.at())
                .put("by", forgotten.by())
                .put("reason", forgotten.reason());
    }

    private static Table table() {
        return new Table("NAME", "STATE", "TOKEN", "HOLDER", "HEALTH", "LEFT", "ACQUIRED", "PROGRESS");
    }

    private static void addTo(Table table, LeaseSnapshot snapshot) {
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
