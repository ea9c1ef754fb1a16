package dev.leasehold.mcp;

import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Note;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.work.Claim;
import dev.leasehold.work.Fingerprint;
import dev.leasehold.work.WorkClaim;
import dev.leasehold.work.WorkId;
import dev.leasehold.work.WorkItem;
import dev.leasehold.work.WorkKey;
import dev.leasehold.work.WorkLedger;
import dev.leasehold.work.WorkResult;
import dev.leasehold.work.WorkStep;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The tools for work that must be completed once. */
final class WorkTools {
    private static final Input KEY = Input.text(
                    "key",
                    WorkKey.MAX_LENGTH,
                    "names the piece of work, the same for everybody who could do it: a date, a ticket, an order")
            .needed();

    private final WorkLedger ledger;
    private final Handles handles;

    WorkTools(LeaseStore store) {
        this.ledger = WorkLedger.over(store);
        this.handles = new Handles(store);
    }

    List<Tool> tools() {
        return List.of(claimTool(), checkpointTool(), completeTool());
    }

    private Tool claimTool() {
        return new Tool(
                "work_claim",
                "Claim a piece of work",
                "Call this under a lease, before a piece of work that must be completed only once, ever. 'done'"
                        + " means that it is completed: use its result and do not do it again. 'claimed' means"
                        + " that you do it now; if there is a checkpoint, go on from there.",
                List.of(
                        Handles.INPUT,
                        KEY,
                        Input.text(
                                "fingerprint",
                                Fingerprint.MAX_LENGTH,
                                "identifies the input, such as a commit; the same key with another input is"
                                        + " refused")),
                true,
                List.of("claimed", "done", "taken", "other_input", "stale"),
                this::claim);
    }

    private Tool checkpointTool() {
        return new Tool(
                "work_checkpoint",
                "Record a checkpoint",
                "Records how far a claimed piece of work is, for a successor if you do not finish. 'stale' means"
                        + " that another has claimed it: stop.",
                List.of(
                        Handles.INPUT,
                        KEY,
                        Input.text(
                                        "checkpoint",
                                        Checkpoint.MAX_LENGTH,
                                        "how far the work is, in a form that a successor understands, in ASCII")
                                .needed()),
                true,
                List.of("recorded", "stale"),
                this::checkpoint);
    }

    private Tool completeTool() {
        return new Tool(
                "work_complete",
                "Complete a piece of work",
                "Completes a claimed piece of work, at most once ever. 'stale' means that it is not yours any"
                        + " more: do not announce it as done.",
                List.of(
                        Handles.INPUT,
                        KEY,
                        Input.text(
                                        "result",
                                        WorkResult.MAX_BYTES,
                                        "what later callers get instead of doing it again; at most 8 KB")
                                .orEmpty()),
                true,
                List.of("completed", "already_completed", "stale"),
                this::complete);
    }

    private ToolResult claim(ToolArguments arguments, McpCaller caller) {
        Grant grant = handles.require(arguments, caller);
        Claim claim = ledger.claim(grant, id(arguments, grant), arguments.optional("fingerprint", Fingerprint::of));
        if (claim instanceof Claim.Claimed claimed) {
            WorkItem item = claimed.item();
            return ToolResult.of(
                            "claimed",
                            "Do " + item.id().key() + " now, then call work_complete."
                                    + (item.checkpoint() == null
                                            ? ""
                                            : " An earlier run came as far as the checkpoint: go on from there."))
                    .put("item", item(item));
        }
        if (claim instanceof Claim.AlreadyDone done) {
            return ToolResult.of("done", done.item().id().key() + " is completed. Do not do it again; use its result.")
                    .put("item", item(done.item()));
        }
        if (claim instanceof Claim.NotCurrent not) {
            return Facts.stale(grant, not.loss());
        }
        String why = ((Claim.Refused) claim).explanation();
        if (claim instanceof Claim.Taken) {
            return ToolResult.of("taken", why + ". Do not do it now; do something else.");
        }
        return claim instanceof Claim.OtherInput
                ? ToolResult.of("other_input", why + ". Nothing was changed.")
                : Facts.stale(grant, why);
    }

    private ToolResult checkpoint(ToolArguments arguments, McpCaller caller) {
        Checkpoint checkpoint = arguments.value("checkpoint", Checkpoint::of);
        return step(arguments, caller, "recorded", "recorded", claim -> ledger.checkpoint(claim, checkpoint));
    }

    private ToolResult complete(ToolArguments arguments, McpCaller caller) {
        WorkResult result = arguments.optional("result", WorkResult::of);
        return step(arguments, caller, "completed", "already_completed", claim -> ledger.complete(claim, result));
    }

    private ToolResult step(
            ToolArguments arguments,
            McpCaller caller,
            String accepted,
            String repeated,
            Function<WorkClaim, WorkStep> step) {
        Grant grant = handles.require(arguments, caller);
        WorkId id = id(arguments, grant);
        Optional<WorkClaim> claim = ledger.claimOf(grant, id);
        if (claim.isEmpty()) {
            return ToolResult.of(
                    "stale",
                    grant + " has no claim on " + id.key() + ": another has claimed it since, or you never did. Nothing"
                            + " was changed. Call work_claim, and go on only if it answers 'claimed'.");
        }
        WorkStep result = step.apply(claim.get());
        if (result instanceof WorkStep.Stale stale) {
            return Facts.stale(grant, stale.explanation());
        }
        if (result instanceof WorkStep.Accepted done) {
            return ToolResult.of(accepted, id.key() + ": " + accepted + ".").put("item", item(done.item()));
        }
        return ToolResult.of(repeated, id.key() + ": this was recorded before, and not a second time.")
                .put("item", item(((WorkStep.Repeated) result).item()));
    }

    private static WorkId id(ToolArguments arguments, Grant grant) {
        WorkKey key = arguments.value("key", WorkKey::of);
        return arguments.value("key", text -> new WorkId(grant.name(), key));
    }

    private static Map<String, Object> item(WorkItem item) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("key", item.id().key().value());
        json.put("state", item.state().word());
        json.put("attempts", item.attempts());
        json.put("since", item.since());
        put(json, "checkpoint", item.checkpoint());
        put(json, "result", item.result());
        Note error = item.lastError();
        put(json, "last_error", error);
        put(json, "reason", item.reason());
        WorkItem.Claimant by = item.by();
        if (by != null) {
            json.put("holder", by.holder().value());
            json.put("token", by.grant().token().value());
        }
        return json;
    }

    private static void put(Map<String, Object> json, String name, @Nullable Object value) {
        if (value != null) {
            json.put(name, value.toString());
        }
    }
}
