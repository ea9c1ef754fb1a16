package dev.leasehold.cli.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.CliRunner.Result;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AgentHookCommandTest {
    private static final int BLOCKED = 2;

    @TempDir
    Path directory;

    private Path repo;
    private CliRunner cli;

    @BeforeEach
    void start() throws IOException {
        repo = Files.createDirectories(directory.resolve("repo/.git"))
                .getParent()
                .toRealPath();
        Files.writeString(repo.resolve("a.txt"), "one\n");
        cli = CliRunner.withStore(directory.resolve("store"))
                .env("LEASEHOLD_AGENT_STATE", directory.resolve("state").toString());
    }

    private String event(String event, String session, String tool, String input) {
        return "{\"hook_event_name\":\"" + event + "\",\"session_id\":\"" + session + "\",\"cwd\":\"" + repo
                + "\",\"tool_name\":\"" + tool + "\",\"tool_use_id\":\"t\",\"tool_input\":{" + input + "}}";
    }

    private Result hook(String event, String... options) {
        List<String> args = new ArrayList<>(List.of("agent-hook", "claude"));
        args.addAll(List.of(options));
        return cli.stdin(event).run(args.toArray(new String[0]));
    }

    private Result edit(String session, String... options) {
        return hook(event("PreToolUse", session, "Write", "\"file_path\":\"a.txt\",\"content\":\"x\""), options);
    }

    private void read(String session) {
        hook(event("PreToolUse", session, "Read", "\"file_path\":\"a.txt\""));
        hook(event("PostToolUse", session, "Read", "\"file_path\":\"a.txt\""));
    }

    @Test
    void theSecondAgentIsDeniedInTheDialectOfClaude() {
        read("first");
        read("second");

        assertThat(edit("first")).isEqualTo(new Result(0, "", ""));
        Result denied = edit("second");
        assertThat(denied.code()).isZero();
        assertThat(denied.out())
                .startsWith("{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\"")
                .contains("claude session first on ");
        assertThat(cli.run("agent-hook", "status").out()).contains("/a.txt: edited by claude session first");
        hook("{\"hook_event_name\":\"SessionEnd\",\"session_id\":\"first\",\"cwd\":\"" + repo + "\"}");
        assertThat(edit("second").out()).isEmpty();
    }

    @Test
    void adviceOnlyWarns() {
        assertThat(edit("s").out()).contains("\"deny\"");
        assertThat(edit("s", "--advise").out())
                .contains("\"additionalContext\":\"advice, not enforced: a.txt exists")
                .doesNotContain("deny");
        assertThat(hook("nonsense", "--advise").code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"hook_event_name\":\"PreToolUse\"}", "\u0000", "{\"a\":\"\ud800\"}"})
    void anEventThatIsNotUnderstoodBlocks(String text) {
        Result result = hook(text);

        assertThat(result.code()).isEqualTo(BLOCKED);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("leasehold: agent-hook failed, so the tool call is blocked: ");
    }

    @Test
    void aMissingStoreADamagedStoreAndAnUnusableStateBlock() throws IOException {
        read("s");
        CliRunner missing = CliRunner.withMissingStore(directory.resolve("none"))
                .env("LEASEHOLD_AGENT_STATE", directory.resolve("state").toString());
        String edit = event("PreToolUse", "s", "Write", "\"file_path\":\"a.txt\"");
        Result result = missing.stdin(edit).run("agent-hook", "claude");
        assertThat(result.code() == BLOCKED || result.out().contains("\"deny\""))
                .isTrue();

        Path file = Files.writeString(directory.resolve("file"), "");
        assertThat(edit("s", "--state", file.toString()).out())
                .contains("\"deny\"")
                .contains("--state");
        assertThat(cli.env("LEASEHOLD_GRANT", "rubbish")
                        .stdin(edit)
                        .run("agent-hook", "claude")
                        .code())
                .isEqualTo(BLOCKED);
    }

    @Test
    void aFailureAtAStopDoesNotKeepTheAgentFromStopping() {
        cli.env("LEASEHOLD_GRANT", "rubbish");

        assertThat(hook("{\"hook_event_name\":\"Stop\",\"session_id\":\"s\",\"cwd\":\"/\"}")
                        .code())
                .isEqualTo(1);
    }

    /** Two hooks at once, and one that is killed at a random moment, leave a record that can be used. */
    @Test
    void aHookThatIsKilledLocksNobodyOut() throws Exception {
        read("s");
        String edit = event("PreToolUse", "s", "Write", "\"file_path\":\"a.txt\",\"content\":\"x\"");
        for (int i = 0; i < 3; i++) {
            Process killed = cli.start("agent-hook", "claude");
            Process other = cli.start("agent-hook", "claude");
            for (Process process : List.of(killed, other)) {
                try (OutputStream in = process.getOutputStream()) {
                    in.write(edit.getBytes(StandardCharsets.UTF_8));
                }
            }
            Thread.sleep(150L * (i + 1));
            killed.destroyForcibly().waitFor();
            assertThat(other.waitFor()).isZero();
            assertThat(new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEmpty();
        }
        assertThat(edit("s").out()).isEmpty();
    }

    @Test
    void installKeepsWhatIsThereAndUninstallRemovesOnlyItsOwn() throws IOException {
        Path settings = Files.createDirectories(repo.resolve(".claude")).resolve("settings.json");
        String before =
                """
                {
                  "model": "opus",
                  "number": 1.50,
                  "hooks": {
                    "PreToolUse": [
                      {
                        "matcher": "Bash",
                        "hooks": [
                          {
                            "type": "command",
                            "command": "mine"
                          }
                        ]
                      }
                    ]
                  }
                }
                """;
        Files.writeString(settings, before);

        Result dry = process("install", "claude", "--dry-run");
        assertThat(dry.out()).contains("would be installed");
        assertThat(dry.err()).contains("+ ").contains("agent-hook claude || exit 2");
        assertThat(settings).hasContent(before);
        assertThat(process("install", "claude").code()).isZero();
        assertThat(Files.readString(settings))
                .contains("\"mine\"", "\"number\": 1.50", "agent-hook claude || exit 2", "\"onFailure\": \"block\"");
        assertThat(process("install", "claude").out()).contains("unchanged");
        assertThat(process("status").out()).contains("claude: guarded (" + settings + ")");

        assertThat(process("uninstall", "claude").out()).contains("removed");
        assertThat(settings).hasContent(before);
        assertThat(process("uninstall", "claude").out()).contains("nothing to remove");
    }

    @ParameterizedTest
    @ValueSource(strings = {"claude", "codex", "copilot", "gemini", "opencode"})
    void everyAgentCanBeInstalledAndRemoved(String agent) throws IOException {
        assertThat(process("install", agent, "--advise").code()).isZero();
        assertThat(process("status", agent).out()).contains(agent + ": warned only");
        assertThat(process("uninstall", agent).code()).isZero();
        try (var files = Files.walk(repo)) {
            assertThat(files.filter(Files::isRegularFile)).containsExactly(repo.resolve("a.txt"));
        }
    }

    @Test
    void settingsThatAreNotJsonAreLeftAlone() throws IOException {
        Path settings = Files.createDirectories(repo.resolve(".claude")).resolve("settings.json");
        Files.writeString(settings, "{ // comment\n}");

        Result result = process("install", "claude");
        assertThat(result.code()).isEqualTo(69);
        assertThat(settings).hasContent("{ // comment\n}");
        assertThat(process("install", "cursor").code()).isEqualTo(64);
        assertThat(process("install").err()).contains("AGENT is missing");
        Files.delete(settings);
        assertThat(process("install", "claude", "--store", "postgresql://u:secret@h/db")
                        .err())
                .contains("password")
                .doesNotContain("secret");
    }

    /** The settings of a project are those of the current directory, so this needs a process. */
    private Result process(String... args) {
        List<String> all = new ArrayList<>(List.of("agent-hook"));
        all.addAll(List.of(args));
        return cli.env("HOME", directory.toString()).in(repo).process(all.toArray(new String[0]));
    }
}
