package dev.leasehold.mcp;

import dev.leasehold.events.RunEntry;
import dev.leasehold.events.RunLog;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.LeaseSnapshot;
import dev.leasehold.spi.LeaseStore;
import dev.leasehold.spi.Ticker;
import dev.leasehold.work.SideEffect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tool that tells what happened to a name. */
final class ExplainTool {
    private static final int TRANSFERS = 10;
    private static final int RUNS = 10;

    private final LeaseStore store;
    private final Ticker ticker;

    ExplainTool(LeaseStore store, Ticker ticker) {
        this.store = store;
        this.ticker = ticker;
    }

    Tool tool() {
        return new Tool(
                "explain",
                "Explain what happened to a lease",
                "Call this when you were refused, or before you tell a person why work did not happen: it shows the state"
                        + " of the lease, who had it before and how it changed hands, its last runs, and what was begun"
                        + " outside and has no known outcome. It changes nothing.",
                List.of(LeaseTools.NAME.needed()),
                false,
                List.of("explained"),
                this::explain);
    }

    private ToolResult explain(ToolArguments arguments, McpCaller caller) {
        LeaseName name = caller.require(arguments.value("name", LeaseName::of));
        LeaseSnapshot seen = store.inspect(name).orElse(null);
        List<Map<String, Object>> history = new ArrayList<>();
        store.history(name, TRANSFERS).forEach(transfer -> history.add(Facts.transfer(transfer)));
        List<RunEntry> runs = new RunLog(store.register()).of(name).newestFirst();
        List<Map<String, Object>> entries = new ArrayList<>();
        runs.subList(0, Math.min(RUNS, runs.size())).forEach(run -> entries.add(run(run)));
        List<String> unknown = new ArrayList<>();
        new SideEffect(store, ticker)
                .unsettled(name)
                .forEach(one -> unknown.add(one.operation().value()));
        ToolResult result =
                ToolResult.of("explained", Facts.words(name.value(), seen)).put("name", name.value());
        if (seen != null) {
            result.put("lease", Facts.lease(seen));
        }
        return result.put("history", history).put("runs", entries).put("unknown_outcomes", unknown);
    }

    private static Map<String, Object> run(RunEntry run) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("at", run.at());
        json.put("kind", run.kind());
        if (run.token() != null) {
            json.put("token", run.token().value());
        }
        json.put("holder", run.holder().value());
        json.put("duration_ms", run.duration().toMillis());
        json.put("detail", run.detail());
        return json;
    }
}
