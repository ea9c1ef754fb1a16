package dev.leasehold.cli.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.internal.JsonReader;
import dev.leasehold.testkit.environment.Requires;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types the commands of the guide in docs/agents.md, in a home directory with nothing in it. */
@Requires("git")
class AgentGuideTest {
    private static final Path ROOT = Path.of(System.getProperty("leasehold.root"));
    private static final String QUOTE = "   > ";

    @TempDir
    Path directory;

    private Path checkout;
    private Path repo;

    /** How a shell ended. */
    private record Ended(int code, String out) {}

    @Test
    void twoAgentsCannotOverwriteEachOtherAfterTheCommandsOfTheGuide() throws Exception {
        checkout = Files.createDirectory(directory.resolve("checkout"));
        repo = Files.createDirectory(directory.resolve("repo")).toRealPath();
        Files.createDirectory(directory.resolve("home"));
        CliRunner.withMissingStore(directory).launchedFrom(checkout).script(checkout);
        List<String> guide = commands();
        assertThat(guide).hasSize(5);
        type("git init --quiet . && mkdir src && echo 'int a;' > src/main.c");

        assertThat(type(guide.get(1)).out()).contains("leasehold ");
        assertThat(type(guide.get(2)).code()).isZero();
        assertThat(type(guide.get(3)).out()).contains("claude: guarded (" + repo + "/.claude/settings.json)");
        playTwoAgents();
        assertThat(type(guide.get(3)).out()).contains("src/main.c: edited by claude session 7f9c1c1e");
        assertThat(type(guide.get(4)).code()).isZero();
        assertThat(type(guide.get(3)).out()).contains("no agent is guarded here");
    }

    private void playTwoAgents() throws Exception {
        for (String session : List.of("7f9c1c1e-2f5b", "second")) {
            assertThat(hook("PreToolUse", session, "Read").code()).isZero();
            assertThat(hook("PostToolUse", session, "Read").code()).isZero();
        }
        assertThat(hook("PreToolUse", "7f9c1c1e-2f5b", "Write")).isEqualTo(new Ended(0, ""));
        Ended denied = hook("PreToolUse", "second", "Write");
        assertThat(denied.out()).contains("\"permissionDecision\":\"deny\"");
        assertThat(plain(JsonReader.object(denied.out()).toString())).contains(plain(quote()));
    }

    /** The commands of the section, in order. */
    private static List<String> commands() throws IOException {
        List<String> commands = new ArrayList<>();
        boolean code = false;
        for (String line : section()) {
            if (line.strip().equals("```")) {
                code = !code;
            } else if (code) {
                commands.add(line.strip());
            }
        }
        return commands;
    }

    private static String quote() throws IOException {
        StringBuilder quote = new StringBuilder();
        section().stream()
                .filter(line -> line.startsWith(QUOTE))
                .forEach(line -> quote.append(line.substring(QUOTE.length())).append(' '));
        return quote.toString().strip();
    }

    private static List<String> section() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/agents.md"));
        int start = page.indexOf("## Ten minutes");
        return page.substring(start, page.indexOf("\n## ", start)).lines().toList();
    }

    /** Without what differs from run to run: hosts, times and the end of the id of a session. */
    private static String plain(String message) {
        return message.replaceAll("\\s+", " ")
                .replaceAll("session \\S+ on \\S+ since \\S+ \\([^)]*\\)", "session S")
                .replaceAll("lasts another \\S+", "lasts");
    }

    /** The command in the settings, with what Claude Code sends to it. */
    private Ended hook(String event, String session, String tool) throws Exception {
        Map<?, ?> hooks = (Map<?, ?>) JsonReader.object(Files.readString(repo.resolve(".claude/settings.json")))
                .get("hooks");
        Map<?, ?> group = (Map<?, ?>) ((List<?>) hooks.get(event)).get(0);
        Map<?, ?> handler = (Map<?, ?>) ((List<?>) group.get("hooks")).get(0);
        String payload = "{\"hook_event_name\":\"" + event + "\",\"session_id\":\"" + session + "\",\"cwd\":\"" + repo
                + "\",\"tool_name\":\"" + tool + "\",\"tool_use_id\":\"t\",\"tool_input\":{\"file_path\":\"" + repo
                + "/src/main.c\",\"content\":\"int b;\"}}";
        return shell(handler.get("command").toString(), payload);
    }

    private Ended type(String command) throws Exception {
        return shell(command, "");
    }

    private Ended shell(String command, String input) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command).directory(repo.toFile());
        builder.redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("HOME", directory.resolve("home").toString());
        builder.environment().put("PATH", checkout + ":" + System.getenv("PATH"));
        Process process = builder.start();
        process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return new Ended(process.exitValue(), out);
    }
}
