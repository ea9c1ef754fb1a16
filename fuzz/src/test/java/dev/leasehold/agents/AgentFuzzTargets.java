package dev.leasehold.agents;

import dev.leasehold.fuzz.FuzzTarget;
import dev.leasehold.internal.JsonReader;
import dev.leasehold.internal.JsonWriter;
import dev.leasehold.model.AttemptId;
import dev.leasehold.model.FencingToken;
import dev.leasehold.model.Grant;
import dev.leasehold.model.LeaseName;
import dev.leasehold.model.StoreId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Events of agents, and what the hook remembers about a session. */
public final class AgentFuzzTargets {
    private static final String EDIT =
            """
            {"hook_event_name":"PreToolUse","session_id":"s","cwd":"/srv","tool_name":"Edit","tool_use_id":"t",
            "tool_input":{"file_path":"a.txt","old_string":"a","new_string":"b","edits":[{"new_string":"c"}]}}
            """;

    private static final String PATCH =
            """
            {"hook_event_name":"PreToolUse","session_id":"s","cwd":"/srv","tool_name":"apply_patch","tool_input":{
            "command":"*** Begin Patch\\n*** Update File: a\\n@@\\n-x\\n+y\\n*** Move to: b\\n*** Add File: c\\n+z\\n*** End Patch"}}
            """;

    private static final String COPILOT =
            """
            {"sessionId":"s","cwd":"/srv","toolName":"edit","toolArgs":"{\\"path\\":\\"a\\"}","toolResult":{"resultType":"success"}}
            """;

    private AgentFuzzTargets() {}

    public static List<FuzzTarget> all() {
        List<FuzzTarget> targets = new ArrayList<>();
        targets.add(dialect("claude", "", EDIT));
        targets.add(dialect("codex", "", PATCH));
        targets.add(dialect("copilot", "postToolUse", COPILOT));
        targets.add(
                dialect("gemini", "", EDIT.replace("PreToolUse", "BeforeTool").replace("Edit", "replace")));
        targets.add(dialect(
                "opencode",
                "",
                "{\"event\":\"tool.execute.before\",\"sessionID\":\"s\",\"cwd\":\"/srv\",\"callID\":\"c\",\"tool\":\"write\","
                        + "\"args\":{\"filePath\":\"a\",\"content\":\"b\"}}"));
        targets.add(FuzzTarget.of("JSON object", IllegalArgumentException.class, AgentFuzzTargets::json, EDIT));
        targets.add(FuzzTarget.of(
                "record of an agent's session",
                IllegalArgumentException.class,
                text -> {
                    String written = SessionState.parse(text).format();
                    FuzzTarget.requireSame(written, SessionState.parse(written).format());
                },
                record()));
        return targets;
    }

    /** Whatever is understood has an answer that is JSON, or none. */
    private static FuzzTarget dialect(String name, String event, String seed) {
        AgentDialect dialect = Objects.requireNonNull(AgentDialect.named(name));
        return FuzzTarget.of(
                "event of " + name,
                IllegalArgumentException.class,
                text -> {
                    HookEvent parsed = dialect.parse(text, event);
                    for (HookVerdict verdict : List.of(
                            HookVerdict.allow(),
                            new HookVerdict.Allow(List.of("note")),
                            new HookVerdict.Deny("no"),
                            new HookVerdict.Report("problem"))) {
                        String answer = dialect.answer(parsed, verdict);
                        if (!answer.isEmpty()) {
                            JsonReader.object(answer);
                        }
                    }
                },
                seed);
    }

    private static void json(String text) {
        String written = JsonWriter.ascii(JsonReader.object(text));
        FuzzTarget.requireSame(written, JsonWriter.ascii(JsonReader.object(written)));
    }

    private static String record() {
        SessionState state = new SessionState();
        Grant grant = new Grant(
                LeaseName.of("agent-edit/0/a"),
                new FencingToken(3),
                AttemptId.of("as-1-attempt"),
                StoreId.of("store-0001"));
        state.see(new SessionState.Seen("", "/srv/a", "hash", "1-2"));
        state.startReading(new SessionState.Reading("sub", "call", "/srv/b", "hash"));
        state.hold(new SessionState.HeldFile("", 5, grant, "/srv/a", "hash"));
        state.permit(new SessionState.Permit("", 6, true, "/srv/a"));
        state.mainStopped(true);
        return state.format();
    }
}
