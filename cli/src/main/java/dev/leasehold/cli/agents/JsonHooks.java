package dev.leasehold.cli.agents;

import dev.leasehold.cli.command.Invocation;
import dev.leasehold.internal.JsonNumber;
import dev.leasehold.internal.JsonReader;
import dev.leasehold.internal.JsonWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The hook in settings that are JSON: those of Claude Code, Codex, Copilot and Gemini. */
final class JsonHooks extends HookInstallation {
    private static final String HOOKS = "hooks";
    private static final String COMMAND = "command";
    private static final int TIMEOUT_SECONDS = 60;

    JsonHooks(Invocation invocation, String agent, Path file) {
        super(invocation, agent, file);
    }

    /**
     * An event to listen to.
     *
     * @param blocks whether a failure of the hook must block. It must not where the agent stops: an agent
     *     that may not stop goes on for ever
     */
    private record Event(String name, String matcher, boolean blocks) {}

    private List<Event> events() {
        return switch (agent()) {
            case "codex" ->
                List.of(
                        new Event("SessionStart", "", false),
                        new Event("PreToolUse", ".*", true),
                        new Event("PostToolUse", ".*", true),
                        new Event("SubagentStop", "", false),
                        new Event("Stop", "", false));
            case "gemini" ->
                List.of(
                        new Event("SessionStart", "", false),
                        new Event("BeforeTool", ".*", true),
                        new Event("AfterTool", ".*", true),
                        new Event("AfterAgent", "", false),
                        new Event("SessionEnd", "", false));
            case "copilot" ->
                List.of(
                        new Event("sessionStart", "", false),
                        new Event("preToolUse", "", true),
                        new Event("postToolUse", "", true),
                        new Event("agentStop", "", false),
                        new Event("subagentStop", "", false),
                        new Event("sessionEnd", "", false));
            default ->
                List.of(
                        new Event("SessionStart", "", false),
                        new Event("PreToolUse", "*", true),
                        new Event("PostToolUse", "*", true),
                        new Event("PostToolUseFailure", "*", true),
                        new Event("SubagentStop", "", false),
                        new Event("Stop", "", false),
                        new Event("SessionEnd", "", false));
        };
    }

    private boolean isCopilot() {
        return agent().equals("copilot");
    }

    @Override
    String with(@Nullable String before) {
        Map<String, @Nullable Object> settings = withoutHook(before);
        if (isCopilot() && !settings.containsKey("version")) {
            settings.put("version", new JsonNumber("1"));
        }
        Map<String, @Nullable Object> hooks = object(settings, HOOKS);
        for (Event event : events()) {
            list(hooks, event.name()).add(isCopilot() ? handler(event) : group(event));
        }
        return JsonWriter.pretty(settings);
    }

    private Map<String, @Nullable Object> group(Event event) {
        Map<String, @Nullable Object> group = new LinkedHashMap<>();
        if (!event.matcher().isEmpty()) {
            group.put("matcher", event.matcher());
        }
        List<@Nullable Object> handlers = new ArrayList<>();
        handlers.add(handler(event));
        group.put(HOOKS, handlers);
        return group;
    }

    private Map<String, @Nullable Object> handler(Event event) {
        // Agents block with 2 and go on with every other code, also that of a shell which does not find
        // the program.
        String command = command(isCopilot() ? event.name() : "") + (event.blocks() ? " || exit 2" : " || exit 1");
        Map<String, @Nullable Object> handler = new LinkedHashMap<>();
        handler.put("type", COMMAND);
        handler.put(isCopilot() ? "bash" : COMMAND, command);
        boolean millis = agent().equals("gemini");
        handler.put(
                isCopilot() ? "timeoutSec" : "timeout",
                new JsonNumber(Integer.toString(TIMEOUT_SECONDS * (millis ? 1000 : 1))));
        if (agent().equals("claude") && event.blocks()) {
            handler.put("onFailure", "block");
        }
        return handler;
    }

    @Override
    @Nullable
    String without(String before) {
        Map<String, @Nullable Object> settings = withoutHook(before);
        boolean empty = settings.isEmpty() || (isCopilot() && settings.keySet().equals(java.util.Set.of("version")));
        return empty ? null : JsonWriter.pretty(settings);
    }

    /** Removes our handlers, and what is empty without them. */
    private Map<String, @Nullable Object> withoutHook(@Nullable String before) {
        Map<String, @Nullable Object> settings =
                before == null || before.isBlank() ? new LinkedHashMap<>() : JsonReader.object(before);
        if (settings.get(HOOKS) == null) {
            return settings;
        }
        Map<String, @Nullable Object> hooks = object(settings, HOOKS);
        for (String event : new ArrayList<>(hooks.keySet())) {
            List<@Nullable Object> groups = list(hooks, event);
            boolean ours = groups.removeIf(this::isOurs);
            for (Object group : new ArrayList<>(groups)) {
                ours |= removeHandlers(groups, group);
            }
            if (ours && groups.isEmpty()) {
                hooks.remove(event);
            }
        }
        if (hooks.isEmpty()) {
            settings.remove(HOOKS);
        }
        return settings;
    }

    private boolean removeHandlers(List<@Nullable Object> groups, @Nullable Object group) {
        if (!(group instanceof Map<?, ?> map) || !(map.get(HOOKS) instanceof List<?> handlers)) {
            return false;
        }
        boolean ours = handlers.removeIf(this::isOurs);
        if (ours && handlers.isEmpty()) {
            groups.remove(group);
        }
        return ours;
    }

    private boolean isOurs(@Nullable Object handler) {
        return handler instanceof Map<?, ?> map
                && map.get(isCopilot() ? "bash" : COMMAND) instanceof String command
                && command.contains(" agent-hook " + agent());
    }

    @Override
    List<String> commands(String settings) {
        List<String> found = new ArrayList<>();
        if (JsonReader.object(settings).get(HOOKS) instanceof Map<?, ?> hooks) {
            for (Map.Entry<?, ?> event : hooks.entrySet()) {
                collect(event.getValue(), found);
            }
        }
        return found;
    }

    private void collect(@Nullable Object value, List<String> found) {
        if (isOurs(value) && value instanceof Map<?, ?> map) {
            found.add(String.valueOf(map.get(isCopilot() ? "bash" : COMMAND)));
        } else if (value instanceof Map<?, ?> map) {
            collect(map.get(HOOKS), found);
        } else if (value instanceof List<?> list) {
            for (Object element : list) {
                collect(element, found);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> object(Map<String, @Nullable Object> parent, String key) {
        Object value = parent.computeIfAbsent(key, k -> new LinkedHashMap<String, @Nullable Object>());
        if (!(value instanceof Map<?, ?>)) {
            throw new IllegalArgumentException("the field " + key + " is not an object");
        }
        return (Map<String, @Nullable Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<@Nullable Object> list(Map<String, @Nullable Object> parent, String key) {
        Object value = parent.computeIfAbsent(key, k -> new ArrayList<@Nullable Object>());
        if (!(value instanceof List<?>)) {
            throw new IllegalArgumentException("the field " + key + " is not a list");
        }
        return (List<@Nullable Object>) value;
    }

    @Override
    @Nullable
    String hint() {
        return switch (agent()) {
            case "codex" ->
                "Codex runs a new hook only after you have trusted it: open /hooks in Codex. Older versions also need"
                        + " [features] codex_hooks = true in config.toml.";
            case "claude" ->
                "A session that is running may have to be restarted. /hooks in Claude Code lists the hooks.";
            default -> null;
        };
    }
}
