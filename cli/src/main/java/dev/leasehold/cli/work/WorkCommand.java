package dev.leasehold.cli.work;

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
import dev.leasehold.cli.output.SafeText;
import dev.leasehold.cli.output.Table;
import dev.leasehold.events.RelativeTime;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.Note;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.Reopening;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkItem;
import dev.leasehold.work.WorkKey;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code leasehold work}: shows, reopens and prunes work items. */
public final class WorkCommand implements Command {
    private static final int PAGE = 500;

    private static final Option NAME =
            Option.of("name", "NAME", Kind.LEASE_NAME, "only the items of this lease (default: all leases)");
    private static final Option STATE =
            Option.of("state", "open|running|done|failed", Kind.CHOICE, "only items in this state");
    private static final Option RETRY = Option.flag("retry", "reopen KEY, which is done or has failed");
    private static final Option PRUNE =
            Option.of("prune", "D", Kind.DURATION, "remove items that have been done for longer than this");
    private static final Option REASON = Option.of("reason", "S", Kind.TEXT, "why KEY is reopened; kept with the item");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("work", "show, reopen or prune work items")
                .description(
                        """
                        Lists the work items of the store with their states, or shows one with its result, its
                        checkpoint and its effects. With --retry, a key that is done starts again without a checkpoint,
                        and a key that failed continues from its checkpoint with a new count of attempts. Each
                        completion removes a few items of its lease that have been done for 30 days. --prune removes all
                        items that have been done for longer than D, except those with undelivered effects. A key that
                        was removed can run again.""")
                .positional(Positional.optional("KEY", Kind.WORK_KEY))
                .option(NAME)
                .option(STATE)
                .option(RETRY)
                .option(REASON)
                .option(PRUNE)
                .example("leasehold work 2026-01-01 --name daily-publish --retry --reason 'wrong prices'");
    }

    @Override
    public int run(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        LeaseName name = arguments.leaseName(NAME);
        WorkKey key = key(arguments.positional(0));
        WorkState state = arguments.value(STATE, WorkState::ofWord);
        Note reason = arguments.value(REASON, Note::of);
        Duration prune = arguments.duration(PRUNE);
        requireFitting(arguments, key, state, reason, prune);
        try (LeaseStore store = invocation.openStoreToRead()) {
            WorkLedger ledger = WorkLedger.over(store);
            UnknownNames unknown = new UnknownNames(store, ledger);
            if (prune != null) {
                unknown.report(invocation, name, null);
                return prune(invocation, ledger, name, prune);
            }
            List<String> damage = new ArrayList<>();
            if (key == null) {
                boolean empty = !list(invocation, store, new WorkPages(ledger, name, damage::add), state);
                if (empty && damage.isEmpty()) {
                    unknown.report(invocation, name, null);
                    noItems(invocation);
                }
            } else {
                List<WorkItem> items = ofKey(ledger, name, key, state, damage);
                String meant = items.isEmpty() && damage.isEmpty() ? unknown.report(invocation, name, key) : "";
                if (reason != null) {
                    return reopen(invocation, ledger, items, key, reason, meant);
                }
                show(invocation, store, items, key, meant);
            }
            damage.forEach(invocation.console()::error);
            return damage.isEmpty() ? ExitCode.OK : ExitCode.UNAVAILABLE;
        }
    }

    private static void requireFitting(
            Arguments arguments,
            @Nullable WorkKey key,
            @Nullable WorkState state,
            @Nullable Note reason,
            @Nullable Duration prune) {
        if (arguments.has(RETRY) && (key == null || reason == null)) {
            throw new UsageException("--retry needs KEY and --reason");
        }
        if (reason != null && !arguments.has(RETRY)) {
            throw new UsageException("--reason needs --retry");
        }
        if (prune != null && (key != null || state != null || prune.isZero())) {
            throw new UsageException("--prune needs a duration above zero and allows only --name beside it");
        }
    }

    private static void noItems(Invocation invocation) {
        if (!invocation.json()) {
            invocation.console().tell("no work items");
        }
    }

    private static int prune(Invocation invocation, WorkLedger ledger, @Nullable LeaseName name, Duration doneFor) {
        long pruned = ledger.prune(name, doneFor);
        if (invocation.json()) {
            invocation.console().print(new Json().put("pruned", pruned).toString());
        } else {
            invocation.console().tell(pruned + " pruned");
        }
        return ExitCode.OK;
    }

    private static @Nullable WorkKey key(@Nullable String text) {
        try {
            return text == null ? null : WorkKey.of(text);
        } catch (IllegalArgumentException e) {
            throw Arguments.bad("KEY", String.valueOf(text), e);
        }
    }

    /** The items with this key, of one name or of all names. */
    private static List<WorkItem> ofKey(
            WorkLedger ledger, @Nullable LeaseName name, WorkKey key, @Nullable WorkState state, List<String> damage) {
        if (name != null) {
            return ledger.find(new WorkId(name, key)).map(List::of).orElse(List.of());
        }
        List<WorkItem> found = new ArrayList<>();
        WorkId after = null;
        List<WorkId> page;
        do {
            page = ledger.ids(null, after, PAGE);
            for (WorkId id : page) {
                after = id;
                if (id.key().equals(key)) {
                    WorkPages.readable(ledger, id, damage::add)
                            .filter(item -> state == null || item.state() == state)
                            .ifPresent(found::add);
                }
            }
        } while (page.size() == PAGE);
        return found;
    }

    /** Prints each page before it reads the next one. False if there is nothing to print. */
    private static boolean list(Invocation invocation, LeaseStore store, WorkPages pages, @Nullable WorkState state) {
        Console console = invocation.console();
        Table table = new Table("NAME", "KEY", "STATE", "TRIES", "SINCE", "HOLDER", "WHAT");
        boolean any = false;
        while (pages.hasNext() && !console.out().checkError()) {
            List<WorkItem> page = pages.next().stream()
                    .filter(item -> state == null || item.state() == state)
                    .toList();
            any |= !page.isEmpty();
            if (page.isEmpty()) {
                continue;
            }
            List<String> lines = new ArrayList<>();
            if (invocation.json()) {
                page.forEach(item -> lines.add(json(store, item).toString()));
            } else {
                page.forEach(item -> addTo(table, store, item));
                lines.addAll(table.nextLines());
            }
            console.print(String.join(System.lineSeparator(), lines));
        }
        return any;
    }

    private static void addTo(Table table, LeaseStore store, WorkItem item) {
        WorkItem.Claimant by = item.by();
        table.row(
                item.id().name().value(),
                item.id().key().value(),
                state(store, item),
                Integer.toString(item.attempts()),
                RelativeTime.at(item.since()),
                by == null ? "-" : by.holder().value(),
                WorkViews.gist(item));
    }

    private static void show(Invocation invocation, LeaseStore store, List<WorkItem> items, WorkKey key, String meant) {
        Console console = invocation.console();
        if (items.isEmpty()) {
            if (invocation.json()) {
                console.print(new Json().put("key", key).put("state", "unknown").toString());
            } else {
                console.print(console.safe(
                        "key " + key + " is unknown: it was never claimed, or it was done long ago" + meant));
            }
            return;
        }
        for (WorkItem item : items) {
            if (invocation.json()) {
                console.print(json(store, item).toString());
            } else {
                print(console, store, item);
            }
        }
    }

    private static void print(Console console, LeaseStore store, WorkItem item) {
        console.print(
                "key " + item.id().key() + " of " + item.id().name() + " has been " + state(store, item) + " since "
                        + RelativeTime.at(item.since()) + ", tried " + item.attempts()
                        + (item.attempts() == 1 ? " time" : " times")
                        + ", last " + WorkViews.by(item));
        line(console, "result", item.result());
        line(console, "last error", item.lastError());
        line(console, "checkpoint", item.checkpoint());
        line(console, item.isDoneByOperator() ? "completed by an operator" : "reopened", item.reason());
        line(console, "fingerprint", item.fingerprint());
        item.effects()
                .forEach(effect -> line(
                        console,
                        "effect " + effect.id() + (effect.delivered() ? ", delivered" : ", waiting"),
                        effect.body()));
    }

    private static void line(Console console, String what, @Nullable Object value) {
        if (value != null) {
            console.print("  " + what + ": " + SafeText.escape(value.toString()));
        }
    }

    /**
     * An item whose runner died stays running until the next claim; its lease shows that the runner
     * is gone.
     */
    private static String state(LeaseStore store, WorkItem item) {
        return item.state() == WorkState.RUNNING && !WorkViews.isAlive(store, item)
                ? "running (its lease has ended)"
                : item.state().word();
    }

    private static Json json(LeaseStore store, WorkItem item) {
        Json json = WorkViews.json(item);
        return item.state() == WorkState.RUNNING ? json.put("leaseHeld", WorkViews.isAlive(store, item)) : json;
    }

    private static int reopen(
            Invocation invocation, WorkLedger ledger, List<WorkItem> items, WorkKey key, Note reason, String meant) {
        if (items.size() != 1) {
            throw new UsageException(
                    items.isEmpty()
                            ? "key " + key + " is unknown, so it cannot be reopened" + meant
                            : "key " + key + " belongs to several leases: choose one with --name");
        }
        Reopening answer = ledger.reopen(items.get(0).id(), reason);
        if (answer instanceof Reopening.Refused refused) {
            invocation.console().error("not reopened; nothing was changed: " + refused.explanation());
            return ExitCode.BUSY;
        }
        WorkItem item = ((Reopening.Opened) answer).item();
        if (invocation.json()) {
            invocation.console().print(WorkViews.json(item).toString());
        }
        invocation.console().say("key " + key + " of " + item.id().name() + " is open again; the next run does it");
        return ExitCode.OK;
    }
}
