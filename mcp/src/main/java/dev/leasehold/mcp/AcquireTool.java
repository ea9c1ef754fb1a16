package dev.leasehold.mcp;

import dev.leasehold.model.Acquisition;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.DurationText;
import dev.leasehold.model.Grant;
import dev.leasehold.model.Holder;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.StoreUnavailableException;
import dev.leasehold.model.TransferReason;
import dev.leasehold.spi.ClockReading;
import dev.leasehold.spi.EngineContext;
import dev.leasehold.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tool that acquires a lease. */
final class AcquireTool {
    /** Shorter than the default, because nobody has to remember to renew it. */
    private static final long KEPT_TTL = 90;

    private final LeaseStore store;
    private final EngineContext context;
    private final @Nullable KeptLeases kept;
    private final ToolFailures failures;

    /** @param kept null if there is no connection whose end would be noticed */
    AcquireTool(LeaseStore store, EngineContext context, @Nullable KeptLeases kept, ToolFailures failures) {
        this.store = store;
        this.context = context;
        this.kept = kept;
        this.failures = failures;
    }

    Tool tool() {
        return new Tool(
                "lease_acquire",
                "Acquire a lease",
                "Call this before you begin work that must not be done twice at the same time: a task, a deployment, a"
                        + " file that others edit. 'granted' means that you alone may begin; keep the handle and show it"
                        + " to the other tools. 'busy' means that somebody else works on it: do not begin, and do not"
                        + " go round it with other tools. Call lease_renew when half of the ttl is over"
                        + (kept == null ? "" : ", or set keep_alive") + ", and lease_release when you are done.",
                inputs(),
                true,
                List.of("granted", "busy", "spent"),
                this::acquire);
    }

    private List<Input> inputs() {
        List<Input> inputs = new ArrayList<>(List.of(
                LeaseTools.NAME.needed(),
                LeaseTools.ttl("how long the lease lasts unless it is renewed (default: " + LeaseTools.DEFAULT_TTL
                        + (kept == null ? ")" : "; with keep_alive " + KEPT_TTL + ")")),
                Input.text("holder", Holder.MAX_LENGTH, "who you are, for others to read: agent, session, machine"),
                Input.text(
                        "attempt",
                        64,
                        "a random id of 8 to 64 letters and digits. Only to repeat a call that got no answer: the"
                                + " same id gets the same lease")));
        if (kept != null) {
            inputs.add(Input.flag(
                    "keep_alive",
                    "renew the lease for you while this connection lives, for at most "
                            + DurationText.show(kept.longest())
                            + "; when the connection ends, the lease is released"));
        }
        return inputs;
    }

    private ToolResult acquire(ToolArguments arguments, McpCaller caller) {
        LeaseName name = caller.require(arguments.value("name", LeaseName::of));
        AttemptId given = arguments.optional("attempt", AttemptId::of);
        AttemptId attempt = given == null ? AttemptId.of(context.ids().unique()) : given;
        Holder named = arguments.optional("holder", Holder::of);
        KeptLeases keeper = arguments.flag("keep_alive") ? kept : null;
        Duration ttl =
                Duration.ofSeconds(arguments.number("ttl_seconds", keeper == null ? LeaseTools.DEFAULT_TTL : KEPT_TTL));
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
                        "You hold " + grant + ". " + care
                                + ". Show its handle to the other tools, and release it when you" + " are done."
                                + before)
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
}
