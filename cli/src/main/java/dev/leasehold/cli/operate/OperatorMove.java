package dev.leasehold.cli.operate;

import dev.leasehold.cli.args.Arguments;
import dev.leasehold.cli.args.Kind;
import dev.leasehold.cli.args.Option;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Interventions;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.cli.targets.RememberedTargets;
import dev.leasehold.cli.targets.TargetOption;
import dev.leasehold.cli.targets.TargetRaising;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreCorruptException;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.Transfer;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Implements takeover, cancel and repair: raises the token once, then raises the targets. */
final class OperatorMove {
    static final Option ONLY_TOKEN = Option.of(
            "token", "T", Kind.TOKEN, "do it only if this is still the current token ('leasehold status' shows it)");

    private final Invocation invocation;
    private final Console console;
    private final LeaseName name;
    private final Holder operator;
    private final AttemptId attempt;
    private final @Nullable FencingToken onlyToken;
    private final List<TargetOption> targets;
    private final List<String> notRaised = new ArrayList<>();
    private boolean damaged;
    /** Whether a target had seen a higher token than the store had issued. */
    private boolean needed;

    /** Parses all options before anything changes. */
    OperatorMove(Invocation invocation) {
        Arguments arguments = invocation.arguments();
        SystemIds ids = new SystemIds();
        Holder given = SharedOptions.holder(invocation);
        this.invocation = invocation;
        this.console = invocation.console();
        this.name = arguments.leaseName(0);
        this.operator = given == null ? SystemContext.defaultHolder(ids) : given;
        this.attempt = AttemptId.of(ids.unique());
        this.onlyToken = arguments.value(ONLY_TOKEN, FencingToken::parse);
        this.targets = TargetOption.parse("--guard", arguments.all(SharedOptions.GUARD), invocation);
    }

    LeaseName name() {
        return name;
    }

    Holder operator() {
        return operator;
    }

    AttemptId attempt() {
        return attempt;
    }

    /** Returns the exit code. A lease that does not exist is refused: the name is probably mistyped. */
    int makeOnExisting(Intervention wanted) throws InterruptedException {
        return make(wanted, true);
    }

    /** As {@link #makeOnExisting}, but a lease that does not exist is created. */
    int make(Intervention wanted) throws InterruptedException {
        return make(wanted, false);
    }

    private int make(Intervention wanted, boolean existing) throws InterruptedException {
        Intervention move = onlyToken == null ? wanted : wanted.ifTokenIs(onlyToken);
        try (LeaseStore store = invocation.openStore()) {
            Optional<LeaseSnapshot> before =
                    existing ? Optional.of(new LeaseList(store).existing(name)) : inspect(store);
            Acquisition answer = Interventions.make(store, move);
            if (answer instanceof Acquisition.Moved moved) {
                return notMade(move, moved.current());
            }
            if (!(answer instanceof Acquisition.Granted granted)) {
                throw Interventions.tooLate(move);
            }
            Grant grant = granted.grant();
            console.changed("the token was raised; see 'leasehold status " + name + "'");
            console.say(name + ": " + move.kind().word() + ", the token is " + grant.token() + " now"
                    + before.map(OperatorMove::formerly)
                            .orElse(damaged ? " (its former record is set aside)" : " (it was never held before)"));
            if (before.isEmpty() && !damaged) {
                console.say(name + " was not known in this store and was created" + nearest(store));
            }
            if (!invocation.json() && !move.leavesFree()) {
                console.print(grant.token().toString());
            }
            List<String> raised = new ArrayList<>();
            FencingToken formerly = before.map(lease -> lease.lease().token()).orElse(null);
            int code = raise(store, grant, raised, formerly);
            if (move.kind() == TransferReason.RECOVERED && formerly != null && !needed) {
                sayNotNeeded(formerly);
            }
            if (invocation.json()) {
                Json json = JsonViews.granted(move.kind().word(), grant, operator, granted.transfer());
                console.print(json.put("expiresInMs", granted.remaining())
                        .put("targetsRaised", raised)
                        .put("targetsNotRaised", notRaised)
                        .toString());
            }
            return code;
        }
    }

    private void sayNotNeeded(FencingToken formerly) {
        console.say("no target that is known here has seen a token above " + formerly
                + ", so this repair did not help any of them. A target that refuses for another reason, for"
                + " example because it is bound to another store, says so: see 'leasehold fence show TARGET'");
    }

    /** A record that cannot be read is what repair is for. */
    private Optional<LeaseSnapshot> inspect(LeaseStore store) {
        try {
            return store.inspect(name);
        } catch (StoreCorruptException e) {
            console.say("the record of " + name + " cannot be read: " + e.getMessage());
            damaged = true;
            return Optional.empty();
        }
    }

    /**
     * The token has changed meanwhile: the holder that the operator saw no longer holds the lease.
     */
    private int notMade(Intervention move, @Nullable Transfer current) {
        if (invocation.json()) {
            console.print(new Json()
                    .put("outcome", "not-current")
                    .put("name", name)
                    .put("token", move.seen() == null ? null : move.seen().value())
                    .put("by", current == null ? null : JsonViews.transfer(current))
                    .toString());
        }
        console.error("token " + move.seen() + " of " + name + " is not current; nothing was changed: "
                + (current == null
                        ? "the store has no such lease"
                        : "the current token is " + current.token() + ", of " + current.holder())
                + ". Check 'leasehold status " + name + "' and decide again");
        return ExitCode.NOT_CURRENT;
    }

    /** Without a suggestion if the names cannot be read: the token is raised. */
    private String nearest(LeaseStore store) {
        try {
            return new LeaseList(store).nearest(name, List.of());
        } catch (StoreUnavailableException | StoreCorruptException e) {
            return "";
        }
    }

    private static String formerly(LeaseSnapshot before) {
        return " (before: " + before.state().word() + ", token "
                + before.lease().token() + " of " + before.lease().owner().holder() + ")";
    }

    /** Raises the targets that the operator named, and those that the store remembers. */
    private int raise(LeaseStore store, Grant grant, List<String> raised, @Nullable FencingToken formerly)
            throws InterruptedException {
        int code = ExitCode.OK;
        try (TargetRaising raising = TargetRaising.in(store, grant, invocation)) {
            List<TargetOption> all = new ArrayList<>(targets);
            all.addAll(RememberedTargets.reachable(raising.known(), targets, grant, notRaised, invocation));
            for (TargetOption target : all) {
                needed |= formerly != null && target.hasSeenAbove(formerly, name, invocation);
                int result = raise(raising, grant, target);
                (result == ExitCode.OK ? raised : notRaised).add(target.toString());
                code = code == ExitCode.OK ? result : code;
            }
            if (all.isEmpty() && raising.known().isEmpty()) {
                console.say("targets not raised"
                        + (formerly == null ? "" : "; the old holder can still write there")
                        + " (--guard TARGET raises them)");
            }
        }
        return code;
    }

    /** Raises one target. A failure does not prevent the raising of the others. */
    private int raise(TargetRaising raising, Grant grant, TargetOption target) throws InterruptedException {
        try {
            if (raising.raise(target) instanceof Admission.Refused refused) {
                console.error(target + " not raised: " + refused.explanation());
                return ExitCode.STALE;
            }
            console.say(target + " raised to " + grant);
            return ExitCode.OK;
        } catch (IllegalArgumentException | TargetUnavailableException e) {
            console.error("not raised: " + e.getMessage());
            return ExitCode.of(e);
        }
    }
}
