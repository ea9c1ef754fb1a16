package dev.leasehold.cli.operate;

import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Positional;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.jobs.FailedOutput;
import dev.leasehold.cli.jobs.SlotViews;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.cli.output.Table;
import dev.leasehold.cli.targets.RememberedTargets;
import dev.leasehold.events.ForgottenNames;
import dev.leasehold.events.KnownTarget;
import dev.leasehold.events.RelativeTime;
import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.events.RunOrigin;
import dev.leasehold.events.StateInWords;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.events.UnrecordedRuns;
import dev.leasehold.internal.SystemTicker;
import dev.leasehold.jobs.JobRecords;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.Text;
import dev.leasehold.model.Transfer;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.SideEffect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * {@code leasehold explain}: the state of a lease, and why its last runs ran, skipped, were lost or
 * refused.
 */
public final class ExplainCommand implements Command {
    private static final int TRANSFERS = 5;
    private static final int RUNS = 10;
    private static final int COMMAND_WIDTH = 60;
    private static final RunLog.Summary UNREADABLE = new RunLog.Summary(List.of(), Map.of());

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("explain", "explain why the last runs ran, skipped, were lost or refused")
                .description(
                        """
                        Describes the state of the lease and whether its holder is alive, stuck or gone. Then lists its
                        last changes of ownership, its last runs with their outcomes, and the number of each outcome. A
                        skip is not a failure: another run held the lease.""")
                .positional(Positional.of("NAME", Kind.LEASE_NAME))
                .example("leasehold explain daily-publish");
    }

    @Override
    public int run(Invocation invocation) {
        LeaseName name = invocation.arguments().leaseName(0);
        try (LeaseStore store = invocation.openStoreToRead()) {
            Set<String> damage = new LinkedHashSet<>();
            Optional<LeaseSnapshot> snapshot = readable(damage, () -> store.inspect(name), Optional.empty());
            List<String> state = damage.isEmpty()
                    ? state(store, name, snapshot)
                    : List.of("The record of " + name + " cannot be read, so its state is not known.");
            List<Transfer> past = readable(damage, () -> store.history(name, 2 * RUNS), List.of());
            List<Transfer> transfers = past.subList(0, Math.min(TRANSFERS, past.size()));
            RunLog.Summary recorded = readable(damage, () -> new RunLog(store.register()).of(name), UNREADABLE);
            RunLog.Summary runs = new RunLog.Summary(
                    UnrecordedRuns.among(recorded.newestFirst(), past, snapshot), recorded.counters());
            List<SideEffect.Begun> unknown =
                    readable(damage, () -> new SideEffect(store, new SystemTicker()).unsettled(name), List.of());
            Optional<JobRecords.Snapshot> slots =
                    readable(damage, () -> new JobRecords(store.register()).read(name), Optional.empty());
            List<KnownTarget> targets = readable(damage, () -> new TargetMemory(store.register()).of(name), List.of());
            if (invocation.json()) {
                Json json = json(name, snapshot, state, transfers, runs)
                        .put("unknownEffects", effects(unknown))
                        .put("targets", RememberedTargets.json(targets));
                slots.ifPresent(page -> json.put("slots", SlotViews.json(name, page, RUNS, FailedOutput.of(recorded))));
                invocation.console().print(json.toString());
            } else {
                state.forEach(invocation.console()::print);
                print(invocation.console(), snapshot, transfers, runs, !damage.isEmpty());
                printTargets(invocation.console(), targets, snapshot);
                printEffects(invocation.console(), unknown);
                slots.ifPresent(page -> printSlots(invocation.console(), name, page, FailedOutput.of(recorded)));
            }
            damage.forEach(what -> invocation.console().error("not everything can be shown: " + what));
            return damage.isEmpty() ? ExitCode.OK : ExitCode.UNAVAILABLE;
        }
    }

    private static List<String> state(LeaseStore store, LeaseName name, Optional<LeaseSnapshot> snapshot) {
        Optional<ForgottenNames.Forgotten> forgotten =
                snapshot.isPresent() ? Optional.empty() : new ForgottenNames(store.register()).find(name);
        return forgotten.map(gone -> List.of(gone.words())).orElseGet(() -> StateInWords.of(name, snapshot));
    }

    /** Damage to one part must not hide the others, which the operator needs to act. */
    private static <T> T readable(Set<String> damage, Supplier<T> part, T otherwise) {
        try {
            return part.get();
        } catch (StoreCorruptException e) {
            damage.add(String.valueOf(e.getMessage()));
            return otherwise;
        }
    }

    private static void print(
            Console console,
            Optional<LeaseSnapshot> snapshot,
            List<Transfer> transfers,
            RunLog.Summary runs,
            boolean damaged) {
        Instant now = snapshot.map(LeaseSnapshot::readAt)
                .orElseGet(() -> runs.newestFirst().isEmpty()
                        ? Instant.EPOCH
                        : runs.newestFirst().get(0).at());
        if (!transfers.isEmpty()) {
            console.print("");
            console.print("Changes of ownership, newest first:");
            HistoryCommand.table(transfers, now).lines().forEach(line -> console.print("  " + line));
        }
        if (damaged && runs.newestFirst().isEmpty()) {
            return;
        }
        console.print("");
        if (runs.newestFirst().isEmpty()) {
            console.print("No runs are recorded; 'leasehold run' records them.");
            return;
        }
        console.print("Runs, newest first:");
        table(runs.newestFirst(), now).lines().forEach(line -> console.print("  " + line));
        if (runs.counters().isEmpty()) {
            return;
        }
        console.print("");
        console.print("Since the first recorded run: " + counters(runs.counters()) + ".");
    }

    private static void printTargets(Console console, List<KnownTarget> targets, Optional<LeaseSnapshot> snapshot) {
        if (!targets.isEmpty()) {
            console.print("");
            console.print("Its targets, which refuse older tokens:");
            Instant now = snapshot.map(LeaseSnapshot::readAt).orElse(Instant.EPOCH);
            RememberedTargets.lines(targets, now).forEach(line -> console.print("  " + line));
        }
    }

    private static void printEffects(Console console, List<SideEffect.Begun> unknown) {
        if (!unknown.isEmpty()) {
            console.print("");
            console.print("Side effects with an unknown outcome, unless they are running right now:");
            unknown.forEach(one -> console.print("  " + one.explanation()));
        }
    }

    private static List<Json> effects(List<SideEffect.Begun> unknown) {
        List<Json> effects = new ArrayList<>();
        for (SideEffect.Begun one : unknown) {
            effects.add(new Json()
                    .put("operation", one.operation())
                    .put("token", one.token().value())
                    .put("at", one.at()));
        }
        return effects;
    }

    private static void printSlots(Console console, LeaseName name, JobRecords.Snapshot page, FailedOutput outputs) {
        console.print("");
        console.print("Slots of its schedule:");
        SlotViews.lines(name, page, RUNS, outputs).forEach(line -> console.print("  " + line));
    }

    private static Table table(List<RunEntry> newestFirst, Instant now) {
        Table table = new Table("WHEN", "AGE", "WHAT", "TOKEN", "HOLDER", "TOOK", "BY", "COMMAND", "DETAIL");
        for (RunEntry run : newestFirst.subList(0, Math.min(RUNS, newestFirst.size()))) {
            RunOrigin origin = run.origin();
            table.row(
                    RelativeTime.at(run.at()),
                    RelativeTime.age(run.at(), now),
                    run.kind(),
                    run.token() == null ? "-" : run.token().toString(),
                    run.holder().value(),
                    run.duration().isZero() ? "-" : DurationText.show(run.duration()),
                    origin == null ? "-" : origin.user() + "@" + origin.host(),
                    origin == null ? "-" : Text.shown(origin.command(), COMMAND_WIDTH),
                    run.detail());
        }
        return table;
    }

    private static String counters(Map<String, Long> counters) {
        List<String> parts = new ArrayList<>();
        Map<String, Long> others = new TreeMap<>(counters);
        Long runTime = others.remove(RunLog.RUN_TIME);
        others.forEach((kind, count) -> parts.add(inWords(kind, count)));
        if (runTime != null) {
            parts.add("total run time " + DurationText.show(Duration.ofMillis(runTime)));
        }
        return String.join(", ", parts);
    }

    private static String inWords(String kind, long count) {
        return switch (kind) {
            case "skipped_overlap" -> count + " skipped";
            case "stale_refused" -> count + " refused as stale";
            case "strict_refused" -> count + " refused by --strict";
            case "changed_outside" -> count + " changed by another program";
            case "would_refuse" -> count + " written although stale (--observe)";
            default -> {
                String words = kind.replace('_', ' ');
                yield words.startsWith("lost ")
                        ? count + " lost (" + words.substring("lost ".length()) + ")"
                        : count + " " + words;
            }
        };
    }

    private static Json json(
            LeaseName name,
            Optional<LeaseSnapshot> snapshot,
            List<String> state,
            List<Transfer> transfers,
            RunLog.Summary runs) {
        List<Json> history = new ArrayList<>();
        transfers.forEach(transfer -> history.add(JsonViews.transfer(transfer)));
        List<Json> entries = new ArrayList<>();
        for (RunEntry run : runs.newestFirst()) {
            Json entry = new Json().put("at", run.at()).put("kind", run.kind());
            if (run.token() != null) {
                entry.put("token", run.token().value());
            }
            entry.put("holder", run.holder()).put("durationMs", run.duration()).put("detail", run.detail());
            RunOrigin origin = run.origin();
            if (origin != null) {
                entry.put("command", origin.command())
                        .put("user", origin.user())
                        .put("host", origin.host())
                        .put("directory", origin.directory());
            }
            if (!run.output().isEmpty()) {
                entry.put("output", run.output());
            }
            entries.add(entry);
        }
        return new Json()
                .put("name", name)
                .put("lease", snapshot.map(JsonViews::snapshot).orElse(null))
                .put("explanation", String.join(" ", state))
                .put("history", history)
                .put("runs", entries)
                .put("counters", runs.counters());
    }
}
