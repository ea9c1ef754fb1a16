package dev.leasehold.mcp;

import dev.leasehold.fence.BestEffortGate;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.model.Loss;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The tool that looks at leases. */
final class StatusTool {
    private static final int PAGE = 50;

    private final LeaseStore store;
    private final Ticker ticker;
    private final Handles handles;

    StatusTool(LeaseStore store, Ticker ticker) {
        this.store = store;
        this.ticker = ticker;
        this.handles = new Handles(store);
    }

    Tool tool() {
        return new Tool(
                "lease_status",
                "Look at leases",
                "Shows who holds a lease, since when and for how long, without changing anything. With 'handle' it says"
                        + " whether the lease is still yours; with 'prefix' it lists the first " + PAGE
                        + " names that start with it. An answer can be old a moment later: only lease_acquire"
                        + " decides.",
                List.of(
                        LeaseTools.NAME,
                        Input.text("handle", 500, "a handle of lease_acquire: is it still current?"),
                        Input.text("prefix", 200, "the start of the names to list")),
                false,
                List.of("held", "free", "listed", "current", "stale"),
                this::status);
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
        Loss loss = new BestEffortGate(store, ticker).check(grant).orElse(null);
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
