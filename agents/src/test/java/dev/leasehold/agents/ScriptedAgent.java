package dev.leasehold.agents;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An agent that adds lines to a file. It speaks the JSON of Claude Code, does what it is told, and
 * writes the whole file each time, which is the most dangerous way to edit.
 */
final class ScriptedAgent implements Runnable {
    private static final String FILE = "/work/notes.txt";
    private static final String COPY = "copy:";

    private final String session;
    private final String agent;
    private final int edits;
    private final MemoryWorkspace files;
    private final AgentHook hook;
    private final Runnable pause;
    private final ClaudeDialect dialect = new ClaudeDialect();
    private final Set<String> toPutBack = new LinkedHashSet<>();
    private final List<String> acknowledged = new ArrayList<>();
    private final boolean hooked;
    private int call;
    private int denials;

    ScriptedAgent(
            String session,
            String agent,
            int edits,
            MemoryWorkspace files,
            AgentHook hook,
            Runnable pause,
            boolean hooked) {
        this.session = session;
        this.agent = agent;
        this.edits = edits;
        this.files = files;
        this.hook = hook;
        this.pause = pause;
        this.hooked = hooked;
    }

    /** The lines whose edits ended without a complaint. */
    List<String> acknowledged() {
        return acknowledged;
    }

    int denials() {
        return denials;
    }

    @Override
    public void run() {
        for (int i = 0; i < edits; i++) {
            String line = session + agent + "-" + i;
            while (!edit(line)) {
                pause.run();
            }
            acknowledged.add(line);
        }
        while (!toPutBack.isEmpty()) {
            edit("");
            pause.run();
        }
        tell("{\"hook_event_name\":\"" + (agent.isEmpty() ? "Stop" : "SubagentStop") + "\"");
    }

    private boolean edit(String line) {
        call++;
        String read = event("PreToolUse", "Read", "");
        String readEnd = event("PostToolUse", "Read", "");
        tell(read);
        pause.run();
        String seen = files.text(FILE);
        pause.run();
        tell(readEnd);

        call++;
        Set<String> lines = new LinkedHashSet<>(seen.lines().toList());
        Set<String> putBack = new LinkedHashSet<>(toPutBack);
        lines.addAll(putBack);
        if (!line.isEmpty()) {
            lines.add(line);
        }
        // Written also if the line is there already: after a late write only an edit under the lease
        // makes sure that it stays.
        String content = String.join("\n", lines) + "\n";
        String write = ",\"content\":" + AgentJson.format(content);
        String answer = tell(event("PreToolUse", "Write", write));
        learn(answer);
        if (answer.contains("\"deny\"")) {
            denials++;
            return false;
        }
        // A person may take long to permit the edit, and a laptop may sleep.
        pause.run();
        files.write(FILE, content);
        pause.run();
        String report = tell(event("PostToolUse", "Write", write));
        learn(report);
        if (report.contains("\"block\"")) {
            return false;
        }
        toPutBack.removeAll(putBack);
        return true;
    }

    /** Whoever is told of a copy puts back what is missing. */
    private void learn(String answer) {
        int at = answer.indexOf(COPY);
        if (at >= 0) {
            String hash = answer.substring(at + COPY.length(), at + COPY.length() + 64);
            toPutBack.addAll(files.copyText(hash).lines().toList());
        }
    }

    private String event(String name, String tool, String input) {
        return "{\"hook_event_name\":\"" + name + "\",\"tool_name\":\"" + tool + "\",\"tool_use_id\":\"toolu_" + call
                + "\",\"tool_input\":{\"file_path\":\"" + FILE + "\"" + input + "}";
    }

    private String tell(String start) {
        if (!hooked) {
            return "";
        }
        Map<String, Object> rest = new LinkedHashMap<>();
        rest.put("session_id", session);
        rest.put("cwd", "/work");
        if (!agent.isEmpty()) {
            rest.put("agent_id", agent);
        }
        String json = start + "," + AgentJson.format(rest).substring(1);
        HookEvent event = dialect.parse(json, "");
        return dialect.answer(event, hook.handle(event));
    }
}
