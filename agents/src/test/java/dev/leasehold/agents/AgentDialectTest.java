package dev.leasehold.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.agents.HookEvent.Edit;
import dev.leasehold.agents.HookEvent.FileEdit;
import dev.leasehold.agents.HookEvent.Kind;
import dev.leasehold.agents.HookEvent.Shell;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Payloads as the agents document them, and the answers that they understand. */
class AgentDialectTest {
    private static final HookVerdict DENIED = new HookVerdict.Deny("no \"way\"\n");

    private static HookEvent event(String payload) {
        return event(payload, "");
    }

    private static HookEvent event(String payload, String name) {
        String agent = payload.substring(0, payload.indexOf('-'));
        return Objects.requireNonNull(AgentDialect.named(agent)).parse(text(payload), name);
    }

    static String text(String payload) {
        try (InputStream in = AgentDialectTest.class.getResourceAsStream(payload + ".json")) {
            return new String(Objects.requireNonNull(in, payload).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<FileEdit> edits(HookEvent event) {
        return ((Edit) Objects.requireNonNull(event.tool())).files();
    }

    @Test
    void claudeEdits() {
        HookEvent event = event("claude-pre-edit");

        assertThat(event.kind()).isEqualTo(Kind.BEFORE);
        assertThat(event.session()).isEqualTo("7f9c1c1e-2f5b-4c0c-9d8e-0b1f4f2a6d11");
        assertThat(event.agent()).isEmpty();
        assertThat(event.call()).isEqualTo("toolu_01Ab");
        assertThat(event.cwd()).isEqualTo("/work/app");
        assertThat(edits(event)).containsExactly(new FileEdit("/work/app/src/main.c", List.of("int b;"), null));
        assertThat(new ClaudeDialect().answer(event, DENIED))
                .isEqualTo("{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\","
                        + "\"permissionDecisionReason\":\"no \\\"way\\\"\\n\"}}");
        assertThat(new ClaudeDialect().answer(event, HookVerdict.allow())).isEmpty();
    }

    @Test
    void claudeTellsItsSubagentsApart() {
        assertThat(event("claude-pre-edit-subagent").agent()).isEqualTo("agent-5d2e");
        assertThat(event("claude-pre-edit-subagent").session())
                .isEqualTo(event("claude-pre-edit").session());
    }

    @Test
    void claudeWritesNotebooksAndToolsOfOthers() {
        assertThat(edits(event("claude-post-write")))
                .containsExactly(new FileEdit("/work/app/new file.txt", List.of(), "one\ntwo\n"));
        assertThat(edits(event("claude-pre-notebook")).get(0).path()).isEqualTo("/work/app/plot.ipynb");
        assertThat(edits(event("claude-pre-mcp-write")).get(0).path()).isEqualTo("/work/app/a.txt");
    }

    @Test
    void claudeReportsAfterAnEditButNeverBlocksAStop() {
        HookVerdict problem = new HookVerdict.Report("too late");

        assertThat(new ClaudeDialect().answer(event("claude-post-write"), problem))
                .isEqualTo("{\"decision\":\"block\",\"reason\":\"too late\"}");
        assertThat(new ClaudeDialect().answer(event("claude-stop"), problem))
                .isEqualTo("{\"systemMessage\":\"too late\"}");
        assertThat(event("claude-stop").kind()).isEqualTo(Kind.STOP);
        assertThat(event("claude-session-end").kind()).isEqualTo(Kind.SESSION_END);
    }

    @Test
    void shellCommandsAreCommands() {
        assertThat(event("claude-pre-bash").tool()).isEqualTo(new Shell("sed -i 's/a/b/' src/main.c", false));
        assertThat(event("codex-pre-bash").tool()).isEqualTo(new Shell("sed -n '1,200p' src/main.c", true));
    }

    @Test
    void codexPatchesSeveralFiles() {
        assertThat(edits(event("codex-pre-apply-patch")))
                .containsExactly(
                        new FileEdit("src/main.c", List.of("int b;"), null),
                        new FileEdit("docs/new.md", List.of(), "# New\ntext\n"),
                        new FileEdit("old.txt", List.of(), null),
                        new FileEdit("moved.txt", List.of("y"), null),
                        new FileEdit("gone.txt", List.of(), null));
    }

    @Test
    void copilotSendsItsArgumentsAsTextAndNoEventName() {
        HookEvent event = event("copilot-pre-edit", "preToolUse");

        assertThat(edits(event)).containsExactly(new FileEdit("/work/app/src/main.c", List.of("int b;"), null));
        assertThat(new CopilotDialect().answer(event, DENIED))
                .startsWith("{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":");
        assertThat(event("copilot-post-create", "postToolUse").kind()).isEqualTo(Kind.AFTER);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> event("copilot-pre-edit"))
                .withMessageContaining("--event");
    }

    @Test
    void gemini() {
        HookEvent event = event("gemini-before-replace");

        assertThat(edits(event)).containsExactly(new FileEdit("src/main.c", List.of("int b;"), null));
        assertThat(new GeminiDialect().answer(event, DENIED)).startsWith("{\"decision\":\"deny\",\"reason\":");
        assertThat(event("gemini-after-write-failed").kind()).isEqualTo(Kind.FAILED);
    }

    @Test
    void opencode() {
        HookEvent event = event("opencode-before-edit");

        assertThat(edits(event)).containsExactly(new FileEdit("/work/app/src/main.c", List.of("int b;"), null));
        assertThat(new OpencodeDialect().answer(event, DENIED)).startsWith("{\"decision\":\"deny\"");
    }

    /** An event that is not understood must never look like one that changes nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{}",
                "{\"hook_event_name\":\"PreToolUse\"}",
                "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"cwd\":\"/\"}",
                "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"cwd\":\"/\",\"tool_name\":\"Edit\"}",
                "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"cwd\":\"/\",\"tool_name\":\"Edit\",\"tool_input\":{}}",
                "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"cwd\":\"/\",\"tool_name\":\"Edit\",\"tool_input\":{\"file_path\":7}}",
                "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"cwd\":\"/\",\"tool_name\":\"Edit\",\"tool_input\":[\"a\"]}",
                "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"\",\"cwd\":\"/\",\"tool_name\":\"Edit\",\"tool_input\":{\"file_path\":\"a\"}}",
                "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"cwd\":\"/\",\"tool_name\":\"Bash\",\"tool_input\":{}}",
                "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"session_id\":\"t\",\"cwd\":\"/\"}",
            })
    void whatIsNotUnderstoodIsAnError(String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> new ClaudeDialect().parse(json, ""));
    }

    private static HookEvent.ToolUse tool(AgentDialect dialect, String tool, String input) {
        return dialect.parse(
                        "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"cwd\":\"/\",\"tool_name\":\"" + tool
                                + "\",\"tool_input\":" + input + ",\"new_field\":{\"a\":[1]}}",
                        "")
                .tool();
    }

    /** A tool that has nothing to do with files must not be blocked because its input looks odd. */
    @Test
    void oddInputOfOtherToolsIsTheirBusiness() {
        AgentDialect claude = new ClaudeDialect();
        assertThat(tool(claude, "mcp__plot__draw", "{\"path\":[\"a\",\"b\"]}")).isEqualTo(new HookEvent.Other());
        assertThat(tool(claude, "Grep", "{\"path\":7}")).isEqualTo(new HookEvent.Other());
        assertThat(tool(claude, "Bash", "{\"command\":\"grep '*** Begin Patch' src -r\"}"))
                .isEqualTo(new Shell("grep '*** Begin Patch' src -r", false));
        assertThat(tool(new CodexDialect(), "shell", "{\"command\":[\"bash\",\"-lc\",\"cat a.txt\"]}"))
                .isEqualTo(new Shell("bash -lc cat a.txt", true));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tool(claude, "mcp__files__write_file", "{\"path\":[\"a\"]}"));
    }

    @Test
    void whatAToolAnsweredNeedNotBeAnObject() {
        String start =
                "{\"hook_event_name\":\"AfterTool\",\"session_id\":\"s\",\"cwd\":\"/\",\"tool_name\":\"write_file\","
                        + "\"tool_input\":{\"file_path\":\"a\"},\"tool_response\":";
        for (String response : List.of("\"done\"", "\"{not json\"", "[1]", "null", "7", "{}")) {
            assertThat(new GeminiDialect().parse(start + response + "}", "").kind())
                    .as(response)
                    .isEqualTo(Kind.AFTER);
        }
        for (String result : List.of("\"done\"", "[]", "{\"resultType\":\"success\"}")) {
            assertThat(new CopilotDialect()
                            .parse(
                                    "{\"sessionId\":\"s\",\"cwd\":\"/\",\"toolName\":\"view\",\"toolResult\":" + result
                                            + "}",
                                    "postToolUse")
                            .kind())
                    .isEqualTo(Kind.AFTER);
        }
    }

    @Test
    void aPatchWithoutFilesIsAnError() {
        assertThatIllegalArgumentException().isThrownBy(() -> PatchText.files("*** Begin Patch\n*** End Patch"));
    }
}
