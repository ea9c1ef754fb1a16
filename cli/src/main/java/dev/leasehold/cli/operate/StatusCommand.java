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
    private static final String TOP = "\033[H";
    private static final String END_OF_LINE = "\033[K\n";
    private static final String REST = "\033[J";

    static final Option PREFIX = Option.of("prefix", "S", Kind.TEXT, "only the leases whose names start with this");
    private static final Option WATCH = Option.flag("watch", "refresh every 2 seconds until interrupted");

    static final Option HELD = Option.flag("held", "only the leases that are not free");
    static final Option SORT = Option.of(
            "sort",
            "name|left|holder|acquired",
            Kind.CHOICE,
            "the order: by name, by time left, by holder, or the newest first (default: name)");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("status", "show who holds which lease, with the time left")
                .description(
                        """
                        Shows all leases of the store, or one with its targets. States: held; released (free); expired (free: its holder
                        stopped renewing without a release); resting (released, but taken until its --min-hold passes).
                        Health: working (reports progress); alive (renews, reports no progress); stuck (renews, but has
                        reported no progress for a whole ttl); dead (stopped renewing). The answer is a moment old, so
                        do not rely on it before a write: let the target check the token. On a terminal, long names are cut in
                        the middle so that a lease is one line, and --watch shows as many as fit; elsewhere nothing is cut.""")
                .positional(Positional.optional("NAME", Kind.LEASE_NAME))
                .option(PREFIX)
                .option(HELD)
                .option(SORT)
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
        if (name != null && (arguments.has(HELD) || arguments.has(SORT))) {
            throw new UsageException("--held and --sort are for a list: leave out NAME");
        }
        try (LeaseStore store = invocation.openStoreToRead()) {
            if (!arguments.has(WATCH)) {
                return show(invocation, store, name);
            }
            boolean redraw = name == null && !invocation.json() && Terminal.isOnStdout();
            return redraw ? redraw(invocation, store) : repeat(invocation, store, name);
        }
    }

    /** Prints the answer again and again, for a file or another program. */
    private static int repeat(Invocation invocation, LeaseStore store, @Nullable LeaseName name)
            throws InterruptedException {
        Console console = invocation.console();
        while (true) {
            long began = System.nanoTime();
            int code = show(invocation, store, name);
            // When the reader (a pager, head) is gone, watching ends without an error.
            if (console.out().checkError()) {
                return code;
            }
            pauseSince(began);
            if (!invocation.json()) {
                console.print("");
            }
        }
    }

    /**
     * Writes over what is on the screen, so that nothing flickers. It never hides the cursor and leaves it below the
     * list, so an interrupted program leaves the terminal as it should be.
     */
    private static int redraw(Invocation invocation, LeaseStore store) throws InterruptedException {
        Console console = invocation.console();
        StatusList list = new StatusList(invocation, store, 0);
        console.out().print(CLEAR_SCREEN);
        while (true) {
            long began = System.nanoTime();
            List<String> damage = new ArrayList<>();
            // Each time: the window may have been made larger.
            List<String> lines = new ArrayList<>(list.screen(Terminal.size(invocation.environment()), damage));
            damage.stream().limit(1).map(console::safe).forEach(lines::add);
            console.print(TOP + String.join(END_OF_LINE, lines) + END_OF_LINE + REST);
            if (console.out().checkError()) {
                return damage.isEmpty() ? ExitCode.OK : ExitCode.UNAVAILABLE;
            }
            pauseSince(began);
        }
    }

    /** Waits at least as long as the answer took: watching must not keep a large store busy. */
    private static void pauseSince(long began) throws InterruptedException {
        long took = (System.nanoTime() - began) / 1_000_000;
        Thread.sleep(Math.max(REFRESH.toMillis(), took));
    }

    private static int show(Invocation invocation, LeaseStore store, @Nullable LeaseName name) {
        List<String> damage = new ArrayList<>();
        if (name == null) {
            int columns = invocation.json()
                    ? 0
                    : Terminal.size(invocation.environment()).columns();
            new StatusList(invocation, store, columns).print(damage);
        } else {
            showOne(invocation, store, name, damage);
        }
        damage.forEach(invocation.console()::error);
        return damage.isEmpty() ? ExitCode.OK : ExitCode.UNAVAILABLE;
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
                console.print(console.safe(
                        forgotten == null ? name + " is free: it was never held in this store" : forgotten.words()));
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
        Table table = table(0);
        addTo(table, lease);
        table.lines().forEach(console::print);
        if (!targets.isEmpty()) {
            console.print("");
            RememberedTargets.lines(targets, lease.readAt()).forEach(console::print);
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

    /** @param columns the width of the terminal; zero for no limit */
    static Table table(int columns) {
        return new Table("NAME", "STATE", "TOKEN", "HOLDER", "HEALTH", "LEFT", "ACQUIRED", "PROGRESS")
                .fit(columns, 0, 3, 7);
    }

    static void addTo(Table table, LeaseSnapshot snapshot) {
        LeaseRecord lease = snapshot.lease();
        table.row(
                lease.name().value(),
                snapshot.state().word(),
                lease.token().toString(),
                lease.owner().holder().value(),
                health(snapshot),
                snapshot.isFree() ? "-" : DurationText.show(snapshot.remaining()),
                RelativeTime.ago(lease.owner().at(), snapshot.readAt()),
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
        String age = RelativeTime.ago(progress.at(), snapshot.readAt());
        return progress.note() == null ? age : age + ": " + progress.note();
    }
}
