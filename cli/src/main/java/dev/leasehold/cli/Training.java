package dev.leasehold.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs the commands whose classes go into the archive that makes them start fast. They run in one
 * process, because since JDK 25 an archive can hold only one run. The launcher starts this in an
 * empty store.
 */
final class Training {
    private static final List<String> RUN = List.of("run", "x", "--", "true");

    /** The second run finds what the first has left, which is the usual case. */
    private static final List<List<String>> COMMANDS = List.of(RUN, RUN, List.of("status"));

    /** A short session: the handshake, the list of tools, a lease that is kept alive, one that is busy. */
    private static final String MCP_SESSION =
            """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            {"jsonrpc":"2.0","id":2,"method":"tools/list"}
            {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"lease_acquire","arguments":{"name":"y","keep_alive":true}}}
            {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"lease_acquire","arguments":{"name":"y"}}}
            {"jsonrpc":"2.0","id":5,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}
            """;

    private Training() {}

    /** @param args the name of a command to train as well, of which there is only {@code mcp} */
    public static void main(String[] args) throws IOException {
        for (List<String> command : COMMANDS) {
            execute(command, System.in);
        }
        callHook(System.getenv("LEASEHOLD_STORE"));
        if (args.length > 0) {
            InputStream session = new ByteArrayInputStream(MCP_SESSION.getBytes(StandardCharsets.UTF_8));
            Main.execute(new String[] {"mcp"}, System.getenv(), session, System.out, System.err);
        }
        Main.main(new String[] {"--version"});
    }

    /** An agent reads a file, edits it twice, and stops. */
    private static void callHook(String store) throws IOException {
        Path state = Path.of(store.substring(store.indexOf(':') + 1) + "-agents");
        Path file = Files.createDirectories(state).resolve("file");
        Files.writeString(file, "old");
        for (String tool : List.of("Read", "Edit", "Edit")) {
            hook(state, file, "PreToolUse", tool);
            Files.writeString(file, "new");
            hook(state, file, "PostToolUse", tool);
            Files.writeString(file, tool.equals("Read") ? "old" : "new");
        }
        hook(state, file, "Stop", "");
    }

    private static void hook(Path state, Path file, String event, String tool) {
        String json = "{\"hook_event_name\":\"" + event + "\",\"session_id\":\"training\",\"cwd\":\"" + state
                + "\",\"tool_name\":\"" + tool + "\",\"tool_input\":{\"file_path\":\"" + file
                + "\",\"old_string\":\"old\",\"new_string\":\"new\"}}";
        execute(
                List.of("agent-hook", "claude", "--state", state.toString()),
                new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }

    private static void execute(List<String> command, InputStream in) {
        Main.execute(command.toArray(new String[0]), System.getenv(), in, System.out, System.err);
    }
}
