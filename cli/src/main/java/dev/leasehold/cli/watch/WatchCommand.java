package dev.leasehold.cli.watch;

import dev.leasehold.AcquireResult;
import dev.leasehold.Lease;
import dev.leasehold.Leases;
import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.CommandSpec;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.child.Hook;
import dev.leasehold.cli.child.Signals;
import dev.leasehold.cli.command.Command;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.StoreUrl;
import dev.leasehold.cli.leased.LeasedCommand;
import dev.leasehold.cli.output.Console;
import dev.leasehold.events.Alert;
import dev.leasehold.events.Conditions;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseTerms;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code leasehold watch}: runs a command when something goes wrong. */
public final class WatchCommand implements Command {
    private static final LeaseTerms TERMS = LeaseTerms.ofTtl(Duration.ofSeconds(30));
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Option ON = Option.of(
            "on", "KINDS", Kind.TEXT, "what to tell: some of stuck,overdue,lost,refused,failed (default: all of them)");
    private static final Option ID = Option.of(
            "id", "NAME", Kind.LEASE_NAME, "watches with the same id are one: each event is told once (default: main)");
    private static final Option TIMEOUT =
            Option.of("timeout", "D", Kind.DURATION, "how long the command may take (default: 30s)");

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("watch", "run a command when a job is overdue, fails, is stuck, lost or refused")
                .description(
                        """
                        Runs until TERM or INT, and runs COMMAND once for each event, with the event as one line of JSON on
                        its standard input: alert, id, at, name, token, holder, slot, detail. What was told is kept in the
                        store, also across restarts; start it on several machines with the same --id and one of them is on
                        duty. A command that fails is tried three times. If the watch is killed while the command runs, the
                        next one tells the same event again, with the same id. A skip is not a failure and is not told.""")
                .passthrough("COMMAND...")
                .withoutJson("stdout belongs to the command, which gets JSON anyway")
                .option(ON)
                .option(ID)
                .option(HealthCommand.TOLERANCE)
                .option(TIMEOUT)
                .example("leasehold watch --on overdue,failed -- ./tell-slack.sh");
    }

    @Override
    public int run(Invocation invocation) throws InterruptedException {
        Arguments arguments = invocation.arguments();
        Set<Alert.Kind> kinds = kinds(arguments.text(ON));
        LeaseName id = arguments.leaseName(ID);
        List<String> command = arguments.passthrough();
        int impossible = LeasedCommand.lookUp(invocation, command.get(0));
        if (impossible != 0) {
            return impossible;
        }
        Duration limit = arguments.duration(TIMEOUT, Duration.ofSeconds(30));
        Duration tolerance = arguments.duration(HealthCommand.TOLERANCE, HealthCommand.DEFAULT_TOLERANCE);
        Hook hook = new Hook(command, null, Map.of(StoreUrl.VARIABLE, invocation.storeUrl()), limit);
        Console console = invocation.console();
        BlockingQueue<String> signals = new LinkedBlockingQueue<>();
        try (LeaseStore store = invocation.openStore();
                Leases leases = Leases.over(store).build();
                Signals handlers = Signals.forward(signals::add)) {
            console.say("watching for "
                    + String.join(", ", kinds.stream().map(Alert.Kind::word).toList()));
            Conditions conditions = new Conditions(store, tolerance);
            untilStopped(
                    leases,
                    leaseOf(id == null ? "main" : id.value()),
                    lease -> new WatchDuty(store, lease, kinds, conditions, hook, console, () -> signals.stream()
                            .anyMatch(WatchCommand::isStop)),
                    console,
                    signals);
        }
        return ExitCode.OK;
    }

    private static Set<Alert.Kind> kinds(@Nullable String given) {
        Set<Alert.Kind> kinds = EnumSet.noneOf(Alert.Kind.class);
        try {
            for (String word : (given == null ? "stuck,overdue,lost,refused,failed" : given).split(",", -1)) {
                kinds.add(Alert.Kind.ofWord(word.strip()));
            }
        } catch (IllegalArgumentException e) {
            throw new UsageException("--on: " + e.getMessage(), e);
        }
        return kinds;
    }

    private static void untilStopped(
            Leases leases,
            LeaseName name,
            Function<Lease, WatchDuty> duty,
            Console console,
            BlockingQueue<String> signals)
            throws InterruptedException {
        String onDuty = "";
        String trouble = "";
        boolean stopped = false;
        while (!stopped) {
            try {
                AcquireResult result = leases.tryAcquire(name, TERMS);
                trouble = "";
                if (result instanceof AcquireResult.Acquired acquired) {
                    onDuty = "";
                    try (Lease lease = acquired.held()) {
                        stopped = serve(duty.apply(lease), signals);
                    }
                } else if (result instanceof AcquireResult.Busy busy
                        && !busy.holder().equals(leases.holder())
                        && !onDuty.equals(busy.holder().value())) {
                    onDuty = busy.holder().value();
                    console.say(onDuty + " is on duty; this one stands by");
                }
            } catch (StoreUnavailableException e) {
                if (trouble.isEmpty()) {
                    trouble = String.valueOf(e.getMessage());
                    console.error("the store does not answer, so nothing can be told until it does: " + trouble);
                }
            }
            stopped = stopped || isStopped(signals);
        }
    }

    /** Returns whether the watch was stopped; false if another one is on duty now. */
    private static boolean serve(WatchDuty duty, BlockingQueue<String> signals) throws InterruptedException {
        boolean stopped = false;
        while (!stopped && duty.look()) {
            stopped = isStopped(signals);
        }
        return stopped;
    }

    /** Waits for a moment. A terminal that is closed, or a user's signal, does not stop a watch. */
    private static boolean isStopped(BlockingQueue<String> signals) throws InterruptedException {
        String signal = signals.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        return isStop(signal);
    }

    private static boolean isStop(@Nullable String signal) {
        return signal != null && (signal.equals("TERM") || signal.equals("INT"));
    }

    /** Not the id itself, which may be the name of a job; but with its prefix, for a key that is limited to one. */
    private static LeaseName leaseOf(String id) {
        return LeaseName.of(id + "/leasehold-watch");
    }
}
