package dev.leasehold.cli.targets;

import dev.leasehold.cli.args.UsageException;
import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Interventions;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.command.SharedOptions;
import dev.leasehold.cli.output.Console;
import dev.leasehold.cli.output.JsonViews;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.fence.TargetUnavailableException;
import dev.leasehold.internal.SystemContext;
import dev.leasehold.internal.SystemIds;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.Admission;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.Note;
import dev.leasehold.spi.Intervention;
import dev.leasehold.spi.LeaseStore;
import org.jspecify.annotations.Nullable;

/**
 * Binds the fence of a target to the store of this command. The counter of the store is raised
 * first: a fence that is bound to a store with lower tokens would refuse all of them.
 */
final class Rebinding {
    private final Invocation invocation;
    private final Console console;
    private final TargetOption target;

    Rebinding(Invocation invocation, TargetOption target) {
        this.invocation = invocation;
        this.console = invocation.console();
        this.target = target;
    }

    /** Returns the exit code. */
    int make(@Nullable KnownFence fence, Note reason) throws InterruptedException {
        if (fence == null) {
            throw new UsageException(target + " has no fence, so it is bound to no store: nothing was changed");
        }
        FenceState state = fence.state();
        try (LeaseStore store = invocation.openStore()) {
            TargetRaising former = TargetRaising.in(store, grantOf(state), invocation);
            boolean wentBack = TargetMemory.wentBack(former.known(), state);
            if (store.id().equals(state.store()) && !wentBack) {
                return unchanged(state);
            }
            if (fence.changed() != null) {
                console.say("warning: " + fence.changed());
            }
            Grant grant = raiseCounter(store, state, reason);
            try (TargetRaising raising = TargetRaising.in(store, grant, invocation)) {
                return bind(raising, state, grant);
            }
        }
    }

    private int unchanged(FenceState state) {
        console.say(target + " is already bound to this store, " + state.store() + ": nothing was changed");
        if (invocation.json()) {
            console.print(JsonViews.outcome("unchanged", grantOf(state))
                    .put("target", target)
                    .put("store", state.store())
                    .toString());
        }
        return ExitCode.OK;
    }

    private static Grant grantOf(FenceState state) {
        return new Grant(state.name(), state.raised(), state.attempt(), state.store());
    }

    private Grant raiseCounter(LeaseStore store, FenceState state, Note reason) throws InterruptedException {
        SystemIds ids = new SystemIds();
        Holder given = invocation.arguments().value(SharedOptions.OPERATOR, Holder::of);
        Intervention move = Intervention.repair(
                state.name(),
                AttemptId.of(ids.unique()),
                given == null ? SystemContext.defaultHolder(ids) : given,
                state.raised().value(),
                Note.of(reason + " (rebound from " + former(state) + ")"));
        if (Interventions.make(store, move) instanceof Acquisition.Granted granted) {
            return granted.grant();
        }
        throw Interventions.tooLate(move);
    }

    private static String former(FenceState state) {
        return state.store() == null ? "no store" : "store " + state.store();
    }

    private int bind(TargetRaising raising, FenceState before, Grant grant) {
        Admission answer;
        try {
            answer = raising.rebind(target);
        } catch (TargetUnavailableException e) {
            console.error("the token of " + grant.name() + " is " + grant.token()
                    + " now, but the target is still bound to " + former(before) + "; repeat the command: "
                    + e.getMessage());
            return ExitCode.of(e);
        }
        if (answer instanceof Admission.Refused refused) {
            console.error(target + " is still bound to " + former(before) + ", whose writers went on meanwhile: "
                    + refused.explanation() + ". Stop them, and repeat the command");
            return ExitCode.STALE;
        }
        console.say(target + " is bound to store " + grant.store() + " now, at " + grant + " (before: " + former(before)
                + ", token " + before.raised() + ")");
        if (invocation.json()) {
            console.print(JsonViews.outcome("rebound", grant)
                    .put("target", target)
                    .put("store", grant.store())
                    .put("formerStore", before.store())
                    .put("formerToken", before.raised().value())
                    .toString());
        }
        return ExitCode.OK;
    }
}
