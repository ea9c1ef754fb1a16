package dev.leasehold.cli.targets;

import dev.leasehold.cli.command.ExitCode;
import dev.leasehold.cli.command.Invocation;
import dev.leasehold.cli.output.Json;
import dev.leasehold.cli.targets.BoundedQuery.Standing;
import dev.leasehold.events.RelativeTime;
import dev.leasehold.events.TargetMemory;
import dev.leasehold.fence.FenceDetails;
import dev.leasehold.model.FenceState;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Transfer;
import org.jspecify.annotations.Nullable;

/** Prints the fence of a target beside what the store says about its lease. */
final class FenceReport {
    private final Invocation invocation;
    private final TargetOption target;

    FenceReport(Invocation invocation, TargetOption target) {
        this.invocation = invocation;
        this.target = target;
    }

    /** Returns the exit code. */
    int print(@Nullable KnownFence fence) throws InterruptedException {
        if (fence == null) {
            if (invocation.json()) {
                invocation.console().print(new Json().put("fenced", false).toString());
            } else {
                line(target + " has no fence");
            }
            return ExitCode.OK;
        }
        Standing standing = BoundedQuery.standing(invocation, fence.state().name());
        if (invocation.json()) {
            invocation.console().print(json(fence, standing).toString());
            return ExitCode.OK;
        }
        FenceState state = fence.state();
        line("target: " + target);
        line("lease: " + state.name());
        line("store: " + (state.store() == null ? "none yet" : state.store()));
        line("this store: " + words(state, standing));
        line("token: " + state.raised()
                + (standing != null && TargetMemory.wentBack(standing.targets(), state)
                        ? ", lower than before: the fence went back (restored from a backup?). If that is as it should"
                                + " be, use 'leasehold fence rebind'"
                        : ""));
        line("last writer: " + writer(state, standing));
        line("attempt: " + (state.attempt() == null ? "not known" : state.attempt()));
        line("one-time write: " + (state.once() == null ? "none" : "token " + state.once()));
        print(fence.details(), fence.changed() != null);
        return ExitCode.OK;
    }

    private void print(@Nullable FenceDetails details, boolean changed) {
        if (details == null) {
            line("kind: a git remote, by 'leasehold push'");
            return;
        }
        line("kind: "
                + (details.description() == null ? "not decided: nothing was written yet" : details.description()));
        line("pending: "
                + (details.pending() ? "yes, the next step through the fence completes or withdraws it" : "no"));
        line("half written: "
                + (details.halfWritten() == null
                        ? "no"
                        : "perhaps, token " + details.halfWritten() + " is not known to have finished"));
        line("changed outside: noticed " + details.changesOutside() + " times"
                + (changed ? ", and it is changed now" : ""));
        line("fence changed: " + RelativeTime.at(details.changedAt()));
    }

    private static String writer(FenceState state, @Nullable Standing standing) {
        Transfer transfer = transfer(state, standing);
        return transfer == null
                ? "not known"
                : transfer.holder() + ", which got the token at " + RelativeTime.at(transfer.at());
    }

    /** The fence keeps only the attempt; its store knows whose it was. Null if it does not, or is another store. */
    private static @Nullable Transfer transfer(FenceState state, @Nullable Standing standing) {
        if (standing == null || !standing.store().equals(state.store())) {
            return null;
        }
        Transfer transfer = standing.of(state.raised());
        return transfer != null && transfer.attempt().equals(state.attempt()) ? transfer : null;
    }

    private static String words(FenceState state, @Nullable Standing standing) {
        if (standing == null) {
            return "no answer";
        }
        FencingToken token = standing.token();
        String current = token == null ? "which does not know " + state.name() : "its current token is " + token;
        if (state.store() == null) {
            return standing.store() + ", " + current;
        }
        return state.store().equals(standing.store())
                ? "the same, " + current
                : "another one, " + standing.store() + ", " + current
                        + ". If the old store is gone, use 'leasehold fence rebind'";
    }

    private Json json(KnownFence fence, @Nullable Standing standing) {
        FenceState state = fence.state();
        FenceDetails details = fence.details();
        Json json = new Json()
                .put("fenced", true)
                .put("target", target)
                .put("name", state.name())
                .put("store", state.store())
                .put("token", state.raised().value())
                .put("attempt", state.attempt());
        put(json, "once", state.once());
        if (details == null) {
            json.put("kind", "git");
        } else {
            json.put("kind", details.kind())
                    .put("pending", details.pending())
                    .put("halfWritten", details.halfWritten() != null)
                    .put("changedOutside", details.changesOutside())
                    .put("changedNow", fence.changed() != null)
                    .put("changedAt", details.changedAt());
        }
        if (standing != null) {
            json.put("thisStore", standing.store())
                    .put("sameStore", standing.store().equals(state.store()))
                    .put("wentBack", TargetMemory.wentBack(standing.targets(), state));
            put(json, "storeToken", standing.token());
            Transfer writer = transfer(state, standing);
            json.put("holder", writer == null ? null : writer.holder());
        }
        return json;
    }

    private static void put(Json json, String field, @Nullable FencingToken token) {
        if (token != null) {
            json.put(field, token.value());
        }
    }

    private void line(String text) {
        invocation.console().print(invocation.console().safe(text));
    }
}
