package dev.leasehold.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The hook of coding agents before an edit of a file that the session holds: as a process of its own, and
 * through a server, against an empty main and against curl alone.
 */
final class AgentHookBench {
    private static final int ROUNDS = 60;
    private static final String STATE = "LEASEHOLD_AGENT_STATE";

    private final Path directory;
    private final String launcher = Path.of("leasehold").toAbsolutePath().toString();
    private final String store;
    private final Path event;
    private int touched;

    private AgentHookBench(Path directory) throws IOException {
        this.directory = directory;
        this.store = "file:" + directory.resolve("store");
        Files.createDirectories(directory.resolve("repo/.git"));
        this.event = event("event.json", "new.txt");
    }

    private Path event(String name, String file) throws IOException {
        return Files.writeString(
                directory.resolve(name),
                "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"bench\",\"cwd\":\"" + directory.resolve("repo")
                        + "\",\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":\"" + file
                        + "\",\"content\":\"x\"}}");
    }

    static void run(Path directory) throws Exception {
        new AgentHookBench(directory).run();
    }

    private void run() throws Exception {
        command(List.of(launcher, "store", "init"), "none");
        ProcessBuilder serve = new ProcessBuilder(launcher, "serve", "--agent-hooks", "--listen", "127.0.0.1:0")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("serve.log").toFile());
        place(serve, "served");
        Process server = serve.start();
        try {
            URI uri = awaitServer(directory.resolve("served/server"));
            List<String> hook = List.of(launcher, "agent-hook", "claude");
            List<String> curl = List.of(
                    "curl",
                    "--silent",
                    "--fail",
                    "--noproxy",
                    "*",
                    uri.resolve("/healthz").toString());
            List<String> empty = StartupBench.emptyMain(Path.of("target/launch/current"));
            new Comparison("agent-hook before an edit: wall time of a call", 1, ROUNDS)
                    .add("an empty main", times -> command(empty, "none"))
                    .add("curl alone", times -> command(curl, "none"))
                    .add("./leasehold agent-hook claude", times -> command(hook, "alone"))
                    .add("the same, first touch of a file", times -> firstTouch(hook, "alone"))
                    .add("agent-hook, a server answers", times -> command(hook, "served"))
                    .add("first touch of a file, a server answers", times -> firstTouch(hook, "served"))
                    .run();
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    private static URI awaitServer(Path file) throws IOException, InterruptedException {
        for (int i = 0; i < 600 && !Files.exists(file); i++) {
            Thread.sleep(100);
        }
        return URI.create(Files.readAllLines(file).get(0));
    }

    private void firstTouch(List<String> command, String state) throws IOException, InterruptedException {
        touched++;
        command(command, state, event("touch.json", state + touched + ".txt"));
    }

    private void command(List<String> command, String state) throws IOException, InterruptedException {
        command(command, state, event);
    }

    private void command(List<String> command, String state, Path input) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(input.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        place(builder, state);
        int code = builder.start().waitFor();
        if (code != 0) {
            throw new IOException(command + " ended with " + code);
        }
    }

    private void place(ProcessBuilder builder, String state) {
        builder.environment().put("LEASEHOLD_STORE", store);
        builder.environment().put(STATE, directory.resolve(state).toString());
    }
}
