package dev.leasehold.mcp;

import dev.leasehold.fence.BestEffortGate;
import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.Checkpoint;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Loss;
import dev.leasehold.model.Note;
import dev.leasehold.model.ProgressReport;
import dev.leasehold.model.Release;
import dev.leasehold.model.Renewal;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.RenewRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tools around one lease. */
final class LeaseTools {
    static final long DEFAULT_TTL = 600;
    /** Shorter, because nobody has to remember to renew it. */
    static final long KEPT_TTL = 90;

    private static final long LONGEST_TTL = 86_400;
    private static final int PAGE = 50;

    static final Input NAME = Input.text(
            "name",
            200,
            "what the lease protects, agreed on by all who could do the same work: a job, a branch, a file."
                    + " A-Z a-z 0-9 . _ : / @ -");
    private static final Input TTL = Input.number(
            "ttl_seconds",
            1,
            LONGEST_TTL,
            "how long the lease lasts from now unless it is renewed (default: " + DEFAULT_TTL + ")");

    private final LeaseStore store;
    private final EngineContext context;
    private final Handles handles;
    private final @Nullable KeptLeases kept;
    private final Failures failures;

    /** @param kept null if there is no connection whose end would be noticed */
    LeaseTools(LeaseStore store, EngineContext context, @Nullable KeptLeases kept, Failures failures) {
        this.store = store;
        this.context = context;
        this.handles = new Handles(store);
        this.kept = kept;
        this.failures = failures;
    }

    List<Tool> tools() {
        return List.of(acquireTool(), renewTool(), releaseTool(), statusTool(), progressTool());
    }

    private Tool acquireTool() {
        List<Input> inputs = new ArrayList<>(List.of(
                NAME.needed(),
                Input.number(
                        "ttl_seconds",
                        1,
                        LONGEST_TTL,
                        "how long the lease lasts unless it is renewed (default: " + DEFAULT_TTL
                                + (kept == null ? ")" : "; with keep_alive " + KEPT_TTL + ")")),
                Input.text("holder", Holder.MAX_LENGTH, "who you are, for others to read: agent, session, machine"),
                Input.text(
                        "attempt",
                        64,
                        "a random id of 8 to 64 letters and digits. Only to repeat a call that got no answer: the"
                                + " same id gets the same lease")));
        String renewal = "Call lease_renew when half of the ttl is over";
        if (kept != null) {
            inputs.add(Input.flag(
                    "keep_alive",
                    "renew the lease for you while this connection lives, for at most "
                            + DurationText.show(kept.longest())
                            + "; when the connection ends, the lease is released"));
            renewal += ", or set keep_alive";
        }
        return new Tool(
                "lease_acquire",
                "Acquire a lease",
                "Call this before you begin work that must not be done twice at the same time: a task, a deployment, a"
                        + " file that others edit. 'granted' means that you alone may begin; keep the handle and show it"
                        + " to the other tools. 'busy' means that somebody else works on it: do not begin, and do not"
                        + " go round it with other tools. " + renewal + ", and lease_release when you are done.",
                inputs,
                true,
                List.of("granted", "busy", "spent"),
                this::acquire);
    }

    private Tool renewTool() {
        return new Tool(
                "lease_renew",
                "Renew a lease",
                "Call this in time while you work under a lease that nobody keeps alive for you, and before a step that"
                        + " takes long. 'stale' means that the lease is no longer yours: stop.",
                List.of(Handles.INPUT, TTL),
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

    private Tool statusTool() {
        return new Tool(
                "lease_status",
                "Look at leases",
                "Shows who holds a lease, since when and for how long, without changing anything. With 'handle' it says"
                        + " whether the lease is still yours; with 'prefix' it lists the first " + PAGE
                        + " names that start with it. An answer can be old a moment later: only lease_acquire"
                        + " decides.",
                List.of(
                        NAME,
                        Input.text("handle", 500, "a handle of lease_acquire: is it still current?"),
                        Input.text("prefix", 200, "the start of the names to list")),
                false,
                List.of("held", "free", "listed", "current", "stale"),
                this::status);
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

    private ToolResult acquire(ToolArguments arguments, McpCaller caller) {
        LeaseName name = caller.require(arguments.value("name", LeaseName::of));
        AttemptId given = arguments.optional("attempt", AttemptId::of);
        AttemptId attempt = given == null ? AttemptId.of(context.ids().unique()) : given;
        Holder named = arguments.optional("holder", Holder::of);
        KeptLeases keeper = arguments.flag("keep_alive") ? kept : null;
        Duration ttl = Duration.ofSeconds(arguments.number("ttl_seconds", keeper == null ? DEFAULT_TTL : KEPT_TTL));
        if (keeper != null) {
            keeper.requireRoom();
        }
        ClockReading asked = context.ticker().read();
        Acquisition answer;
        try {
            answer = store.acquire(name, attempt, named == null ? caller.holder() : named, ttl);
        } catch (StoreUnavailableException e) {
            throw new ToolFailure(failures.unavailable(e).put("attempt", attempt.value()));
        }
        if (answer instanceof Acquisition.Granted granted) {
            ToolResult result = granted(granted, ttl, keeper, asked);
            // Who named the attempt can repeat the call. Otherwise nobody ever learns of the lease.
            return given == null ? result.ifUndelivered(() -> giveBack(whole(granted))) : result;
        }
        return answer instanceof Acquisition.Busy busy
                ? busy(name, busy)
                : ToolResult.of(
                        "spent",
                        "the lease that this attempt got is over; nothing was changed. Call again without 'attempt'");
    }

    private ToolResult granted(
            Acquisition.Granted granted, Duration ttl, @Nullable KeptLeases keeper, ClockReading asked) {
        Grant grant = whole(granted);
        if (keeper != null) {
            keep(keeper, grant, ttl, asked);
        }
        String care = keeper == null
                ? "Renew it with lease_renew before it expires"
                : "It is renewed for you while this connection lives, for at most "
                        + DurationText.show(keeper.longest());
        String before = granted.transfer().reason() == TransferReason.EXPIRED
                ? " The holder before you did not release it: it crashed, or is frozen and may come back. Look at what it"
                        + " left before you go on."
                : "";
        return ToolResult.of(
                        "granted",
                        "You hold " + grant + ". " + care + ", show its handle to the other tools, and release it when"
                                + " you are done." + before)
                .put("handle", grant.encode())
                .put("name", grant.name().value())
                .put("token", grant.token().value())
                .put("holder", granted.transfer().holder().value())
                .put("how", granted.transfer().reason().word())
                .put("ttl_seconds", ttl.toSeconds())
                .put("expires_in_ms", granted.remaining().toMillis())
                .put("kept_alive_ms", keeper == null ? null : keeper.longest().toMillis());
    }

    private Grant whole(Acquisition.Granted granted) {
        return new Grant(
                granted.grant().name(),
                granted.grant().token(),
                granted.transfer().attempt(),
                store.id());
    }

    /** A lease that cannot be kept alive as promised must not be held. */
    @SuppressWarnings("CatchingUnchecked")
    private void keep(KeptLeases keeper, Grant grant, Duration ttl, ClockReading asked) {
        try {
            keeper.keep(grant, ttl, asked);
        } catch (RuntimeException | Error e) {
            giveBack(grant);
            throw e;
        }
    }

    private void giveBack(Grant grant) {
        if (kept != null) {
            kept.forget(grant);
        }
        store.release(grant, Duration.ZERO);
    }

    private ToolResult busy(LeaseName name, Acquisition.Busy busy) {
        LeaseSnapshot seen = store.inspect(name).orElse(null);
        boolean same = seen != null && seen.lease().token().equals(busy.token());
        String who = same
                ? Facts.words(name.value(), seen)
                : name + " is held by " + busy.holder() + " (token " + busy.token() + ") for another "
                        + DurationText.show(busy.remaining()) + " unless it is renewed.";
        ToolResult result = ToolResult.of(
                "busy",
                who + " Do not begin this work, also not with other tools. Do something else, or call lease_acquire"
                        + " again later. If the holder seems stuck, ask a person: 'leasehold takeover' takes the lease"
                        + " from it.");
        if (seen != null && same) {
            Facts.lease(seen).forEach(result::put);
        } else {
            result.put("name", name.value())
                    .put("holder", busy.holder().value())
                    .put("token", busy.token().value())
                    .put("expires_in_ms", busy.remaining().toMillis());
        }
        return result.put("retry_after_ms", Math.max(1000, busy.remaining().toMillis()));
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

    private ToolResult status(ToolArguments arguments, McpCaller caller) {
        long questions = List.of("name", "handle", "prefix").stream()
                .filter(arguments::has)
                .count();
        if (questions != 1) {
            throw ToolArguments.invalid("give one of 'name', 'handle' and 'prefix'");
        }
        if (arguments.has("prefix")) {
            return list(arguments.text("prefix"), caller);
        }
        return arguments.has("name")
                ? one(caller.require(arguments.value("name", LeaseName::of)))
                : current(handles.require(arguments, caller));
    }

    private ToolResult one(LeaseName name) {
        LeaseSnapshot seen = store.inspect(name).orElse(null);
        ToolResult result =
                ToolResult.of(seen == null || seen.isFree() ? "free" : "held", Facts.words(name.value(), seen));
        if (seen != null) {
            Facts.lease(seen).forEach(result::put);
        }
        return result.put("name", name.value());
    }

    private ToolResult current(Grant grant) {
        Loss loss = new BestEffortGate(store, context.ticker()).check(grant).orElse(null);
        LeaseSnapshot seen = store.inspect(grant.name()).orElse(null);
        if (loss != null) {
            return Facts.stale(grant, loss);
        }
        return ToolResult.of("current", "You hold " + grant + ".")
                .put("name", grant.name().value())
                .put("token", grant.token().value())
                .put("expires_in_ms", seen == null ? null : seen.remaining().toMillis());
    }

    private ToolResult list(String wanted, McpCaller caller) {
        String prefix = caller.sees(wanted) ? wanted : caller.prefix();
        if (!prefix.startsWith(wanted)) {
            return ToolResult.of("listed", "There are no such names.").put("leases", List.of());
        }
        List<Map<String, Object>> leases = new ArrayList<>();
        for (LeaseSnapshot one : store.list(prefix, "", PAGE)) {
            leases.add(Facts.lease(one));
        }
        String more = leases.size() < PAGE ? "" : " There may be more: ask with a longer prefix.";
        return ToolResult.of("listed", leases.size() + " names start with " + prefix + "." + more)
                .put("leases", leases);
    }
}
