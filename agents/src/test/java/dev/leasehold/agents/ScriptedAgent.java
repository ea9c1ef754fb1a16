package dev.leasehold.agents;

import dev.leasehold.internal.JsonWriter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An agent that adds lines to a file. It speaks the JSON of Claude Code, does what it is told, and
 * writes the whole file each time, which is the most dangerous way to edit.
 */
final class ScriptedAgent implements Runnable {
    private static final String FILE = Interleaving.FILE;
    private static final String COPY = "copy:";

    private final String session;
    private final String agent;
    private final int edits;
    private final Scene scene;
    private final MemoryWorkspace files;
    private final Runnable pause;
    private final ClaudeDialect dialect = new ClaudeDialect();
    private final Set<String> toPutBack = new LinkedHashSet<>();
    private final List<String> acknowledged = new ArrayList<>();
    private int call;
    private int denials;

    /**
     * Where an agent works.
     *
     * @param missing the part of the hook that is left out; null for none
     */
    record Scene(
            MemoryWorkspace files,
            AgentHook hook,
            Runnable pause,
            InstantSource clock,
            Exclusion exclusion,
            @Nullable Guard missing) {}

    ScriptedAgent(String session, String agent, int edits, Scene scene) {
        this.session = session;
        this.agent = agent;
        this.edits = edits;
        this.scene = scene;
        this.files = scene.files();
        this.pause = scene.pause();
    }

    @Override
    public String toString() {
        return session + "/" + agent;
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

    private String read() {
        call++;
        tell(event("PreToolUse", "Read", ""));
        pause.run();
        String seen = files.text(FILE);
        pause.run();
        tell(event("PostToolUse", "Read", ""));
        return seen;
    }

    private boolean edit(String line) {
        String seen = read();
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
        String write = ",\"content\":" + JsonWriter.ascii(content);
        Exclusion.Asked asked = scene.exclusion().ask(scene.clock().instant());
        String answer = tell(event("PreToolUse", "Write", write));
        learn(answer);
        if (answer.contains("\"deny\"")) {
            denials++;
            return false;
        }
        if (scene.missing() != Guard.HOOK) {
            scene.exclusion().enter(this, asked, scene.clock().instant());
        }
        // A person may take long to permit the edit, and a laptop may sleep.
        pause.run();
        files.write(FILE, content);
        pause.run();
        scene.exclusion().leave(this);
        String report = tell(event("PostToolUse", "Write", write));
        if (scene.missing() != Guard.LOOK_AFTER_THE_EDIT) {
            learn(report);
            if (report.contains("\"block\"")) {
                return false;
            }
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
        if (scene.missing() == Guard.HOOK) {
            return "";
        }
        Map<String, Object> rest = new LinkedHashMap<>();
        rest.put("session_id", session);
        rest.put("cwd", "/work");
        if (!agent.isEmpty()) {
            rest.put("agent_id", agent);
        }
        String json = start + "," + JsonWriter.ascii(rest).substring(1);
        HookEvent event = dialect.parse(json, "");
        return dialect.answer(event, scene.hook().handle(event));
    }
}
