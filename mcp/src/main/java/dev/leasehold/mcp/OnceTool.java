package dev.leasehold.mcp;

import dev.leasehold.model.Grant;
import dev.leasehold.model.OperationId;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Ticker;
import dev.leasehold.work.SideEffect;
import dev.leasehold.work.SideEffect.Begun;
import dev.leasehold.work.SideEffect.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tool around something that must not be repeated without asking: a mail, a payment, a release. */
final class OnceTool {
    private static final int MAX_NOTE = 500;

    private final Handles handles;
    private final SideEffect effects;

    OnceTool(LeaseStore store, Ticker ticker) {
        this.handles = new Handles(store);
        this.effects = new SideEffect(store, ticker);
    }

    Tool tool() {
        return new Tool(
                "once",
                "Do something outside only once",
                "Call this around something that cannot be undone and cannot check a lease: sending a mail, paying,"
                        + " publishing a release. First 'begin': only the outcome 'begin' means that you do it now."
                        + " Then 'made', or 'not_made' if it certainly did not happen. 'unknown' means that somebody"
                        + " began it and nobody knows whether it happened: never do it then; find out at its target, and"
                        + " ask a person to settle it. 'ask' only looks.",
                List.of(
                        Input.choice("action", List.of("begin", "made", "not_made", "ask"), "what to record")
                                .needed(),
                        Handles.INPUT,
                        Input.text(
                                        "id",
                                        100,
                                        "names what must happen once, so that it can be derived again after a crash:"
                                                + " invoice-7-mail. A-Z a-z 0-9 . _ : @ -. Give it to the target as its"
                                                + " idempotency key")
                                .needed(),
                        Input.text("note", MAX_NOTE, "what the target answered; for 'made' and 'not_made'")),
                true,
                List.of("begin", "made", "not_made", "unknown", "none", "stale"),
                this::call);
    }

    private ToolResult call(ToolArguments arguments, McpCaller caller) {
        Grant grant = handles.require(arguments, caller);
        OperationId id = arguments.value("id", OperationId::of);
        String action = arguments.text("action");
        boolean ends = action.equals("made") || action.equals("not_made");
        String note = arguments.optional("note");
        if (note != null && !ends) {
            throw ToolArguments.invalid("'note' belongs to 'made' and 'not_made'");
        }
        if (action.equals("begin")) {
            return begin(grant, id);
        }
        return ends ? end(grant, id, action.equals("made"), note == null ? "" : note) : ask(grant, id);
    }

    private ToolResult begin(Grant grant, OperationId id) {
        SideEffect.Start start = effects.begin(grant, id);
        if (start instanceof SideEffect.Start.Begins) {
            return ToolResult.of(
                            "begin",
                            "Do " + id
                                    + " now, once. Then call once with 'made', or with 'not_made' if it certainly did"
                                    + " not happen. If you cannot tell, record nothing.")
                    .put("id", id.value());
        }
        Outcome outcome = ((SideEffect.Start.Answered) start).outcome();
        return outcome instanceof Outcome.Refused refused ? Facts.stale(grant, refused.why()) : found(id, outcome);
    }

    private ToolResult end(Grant grant, OperationId id, boolean made, String note) {
        Begun own = effects.unsettled(grant.name()).stream()
                .filter(one -> one.operation().equals(id) && one.token().equals(grant.token()))
                .findFirst()
                .orElse(null);
        if (own != null) {
            effects.end(grant, own, new SideEffect.Answer(made, note));
        }
        Outcome after = effects.find(grant.name(), id).orElse(null);
        if (after instanceof Outcome.MadeBefore) {
            return found(id, after);
        }
        if (own != null && after == null && !made) {
            return ToolResult.of("not_made", id + " did not happen, and may be begun again.")
                    .put("id", id.value());
        }
        if (after instanceof Outcome.Unknown) {
            return found(id, after);
        }
        return Facts.stale(
                grant, "it has not begun " + id + ", or a person has settled it since; nothing was recorded");
    }

    private ToolResult ask(Grant grant, OperationId id) {
        return found(id, effects.find(grant.name(), id).orElse(null));
    }

    private static ToolResult found(OperationId id, @Nullable Outcome outcome) {
        if (outcome instanceof Outcome.MadeBefore made) {
            return ToolResult.of("made", id + " has happened. Do not do it again.")
                    .put("id", id.value())
                    .put("by_token", made.by().value())
                    .put("note", made.text().isEmpty() ? null : made.text());
        }
        if (outcome instanceof Outcome.Unknown unknown) {
            Begun begun = unknown.begun();
            return ToolResult.of(
                            "unknown",
                            "Whether " + id + " happened is unknown: token " + begun.token() + " began it at "
                                    + begun.at()
                                    + " and recorded no outcome. Do not do it. Find out at its target, with"
                                    + " the id, and ask a person to record the answer with 'leasehold settle'.")
                    .put("id", id.value())
                    .put("by_token", begun.token().value())
                    .put("begun_at", begun.at());
        }
        return ToolResult.of("none", id + " was never begun, or did not happen.")
                .put("id", id.value());
    }
}
