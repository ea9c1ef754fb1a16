package dev.leasehold.mcp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tools of a server, in the order in which they are listed. */
final class Tools {
    private final Map<String, Tool> tools = new LinkedHashMap<>();
    private final ToolFailures failures;

    Tools(List<Tool> given, ToolFailures failures) {
        given.forEach(tool -> tools.put(tool.name(), tool));
        this.failures = failures;
    }

    List<Map<String, Object>> list() {
        List<Map<String, Object>> list = new ArrayList<>();
        tools.values().forEach(tool -> list.add(tool.toJson()));
        return list;
    }

    /** Never throws. Null if there is no such tool. */
    @SuppressWarnings("CatchingUnchecked")
    @Nullable
    ToolResult call(String name, Map<String, Object> arguments, McpCaller caller) {
        Tool tool = tools.get(name);
        if (tool == null) {
            return name.equals(FileTool.NAME) ? FileTool.refusedWithoutRoot() : null;
        }
        try {
            return tool.call(arguments, caller);
        } catch (RuntimeException | Error e) {
            return failures.of(e);
        }
    }
}
