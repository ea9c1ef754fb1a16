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

    private Training() {}

    public static void main(String[] args) throws IOException {
        for (List<String> command : COMMANDS) {
            execute(command, System.in);
        }
        callHook(System.getenv("LEASEHOLD_STORE"));
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
