package dev.leasehold.mcp;

import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tools for whoever holds a lease. */
final class LeaseTools {
    static final long DEFAULT_TTL = 600;
    private static final long LONGEST_TTL = 86_400;

    static final Input NAME = Input.text(
            "name",
            200,
            "what the lease protects, agreed on by all who could do the same work: a job, a branch, a file."
                    + " A-Z a-z 0-9 . _ : / @ -");

    private final LeaseStore store;
    private final Handles handles;
    private final @Nullable KeptLeases kept;

    /** @param kept null if there is no connection whose end would be noticed */
    LeaseTools(LeaseStore store, @Nullable KeptLeases kept) {
        this.store = store;
        this.handles = new Handles(store);
        this.kept = kept;
    }

    static Input ttl(String description) {
        return Input.number("ttl_seconds", 1, LONGEST_TTL, description);
    }

    List<Tool> tools() {
        return List.of(renewTool(), releaseTool(), progressTool());
    }

    private Tool renewTool() {
        return new Tool(
                "lease_renew",
                "Renew a lease",
                "Call this in time while you work under a lease that nobody keeps alive for you, and before a step that"
                        + " takes long. 'stale' means that the lease is no longer yours: stop.",
                List.of(
                        Handles.INPUT,
                        ttl("how long the lease lasts from now unless it is renewed (default: " + DEFAULT_TTL + ")")),
                true,
                List.of("renewed", "stale"),
                this::renew);
    }

    private Tool releaseTool() {
        return new Tool(
                "lease_release",
                "Release a lease",
                "Call this when the work is done or given up, so that others need not wait for the ttl. Calling it twice"
                        + " is harmless.",
                List.of(Handles.INPUT),
                true,
                List.of("released", "already_released", "stale"),
                this::release);
    }

    private Tool progressTool() {
        return new Tool(
                "progress",
                "Report progress",
                "Records what you are doing under a lease, so that others see that you are not stuck, and where a"
                        + " successor can go on. 'stale' means that the lease is no longer yours: stop.",
                List.of(
                        Handles.INPUT,
                        Input.text("note", Note.MAX_LENGTH, "what you do now, in one line of ASCII"),
                        Input.text(
                                "checkpoint",
                                Checkpoint.MAX_LENGTH,
                                "how far you are, in a form that your successor understands, in ASCII")),
                true,
                List.of("noted", "stale"),
                this::progress);
    }

    private ToolResult renew(ToolArguments arguments, McpCaller caller) {
        Grant grant = handles.require(arguments, caller);
        Duration ttl = Duration.ofSeconds(arguments.number("ttl_seconds", DEFAULT_TTL));
        Renewal renewal = store.renew(List.of(new RenewRequest(grant, ttl))).get(0);
        if (renewal instanceof Renewal.NotRenewed not) {
            return Facts.stale(grant, not.loss());
        }
        if (renewal instanceof Renewal.Renewed renewed) {
            return ToolResult.of(
                            "renewed",
                            "You hold " + grant + " for another " + DurationText.show(renewed.remaining()) + ".")
                    .put("name", grant.name().value())
                    .put("token", grant.token().value())
                    .put("expires_in_ms", renewed.remaining().toMillis());
        }
        throw new StoreUnavailableException("the outcome of a renewal is unknown");
    }

    private ToolResult release(ToolArguments arguments, McpCaller caller) {
        Grant grant = handles.require(arguments, caller);
        if (kept != null) {
            kept.forget(grant);
        }
        Release release = store.release(grant, Duration.ZERO);
        if (release instanceof Release.NotCurrent not) {
            return Facts.stale(grant, not.loss());
        }
        boolean first = release instanceof Release.Released;
        return ToolResult.of(
                        first ? "released" : "already_released",
                        first ? "You released " + grant + "." : grant + " was released before.")
                .put("name", grant.name().value())
                .put("token", grant.token().value());
    }

    private ToolResult progress(ToolArguments arguments, McpCaller caller) {
        Grant grant = handles.require(arguments, caller);
        Note note = arguments.optional("note", Note::of);
        Checkpoint checkpoint = arguments.optional("checkpoint", Checkpoint::of);
        if (note == null && checkpoint == null) {
            throw ToolArguments.invalid("give 'note', 'checkpoint' or both");
        }
        return store.progress(grant, note, checkpoint) instanceof ProgressReport.NotCurrent not
                ? Facts.stale(grant, not.loss())
                : ToolResult.of("noted", "The progress of " + grant + " is recorded. This does not renew the lease.");
    }
}
