package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The hook of agents through the server. */
abstract class AgentApiTest extends ApiFixture {
    private Object hook(String event, String session, String tool, String input) {
        return api.post(
                "/v1/agent-hook",
                "{'agent':'claude','event':{'hook_event_name':'" + event + "','session_id':'" + session + "','cwd':'"
                        + directory + "','tool_name':'" + tool + "','tool_input':{" + input + "}}}");
    }

    @Test
    void theSecondSessionIsDenied() throws Exception {
        Path file = Files.writeString(directory.resolve("a.txt"), "x");
        String path = "'file_path':'" + file + "'";
        for (String session : new String[] {"first", "second"}) {
            hook("PreToolUse", session, "Read", path);
            hook("PostToolUse", session, "Read", path);
        }

        assertThat(hook("PreToolUse", "first", "Edit", path).toString())
                .contains("store")
                .contains(store.id().value())
                .doesNotContain("deny");
        assertThat(hook("PreToolUse", "second", "Edit", path).toString())
                .contains("deny")
                .contains("claude session first");
    }

    @Test
    void namesOfFilesThatAreGoneAreForgottenWhenASessionStarts() throws Exception {
        Path file = directory.resolve("gone.txt");
        hook("PreToolUse", "s", "Write", "'file_path':'" + file + "'");
        hook("SessionEnd", "s", "", "");
        assertThat(store.names("agent-edit/", "", 100))
                .noneMatch(name -> name.value().endsWith("gone.txt"));

        Files.writeString(file, "x");
        hook("PreToolUse", "t", "Read", "'file_path':'" + file + "'");
        hook("PostToolUse", "t", "Read", "'file_path':'" + file + "'");
        hook("PreToolUse", "t", "Write", "'file_path':'" + file + "'");
        hook("SessionEnd", "t", "", "");
        assertThat(store.names("agent-edit/", "", 100))
                .anyMatch(name -> name.value().endsWith("gone.txt"));
        Files.delete(file);
        hook("SessionStart", "t", "", "");
        assertThat(store.names("agent-edit/", "", 100))
                .noneMatch(name -> name.value().endsWith("gone.txt"));
    }

    @Test
    void whatTheServerCannotDecideIsAnError() {
        assertThat(hook("PreToolUse", "s", "Bash", "'command':'git push'").toString())
                .contains("only the program decides about a push");
        assertThat(hook("PreToolUse", "s", "Edit", "'old':'x'").toString()).contains("file_path is missing");
        assertThat(api.post("/v1/agent-hook", "{'agent':'cursor','event':{}}").toString())
                .contains("agent must be one of");
    }

    @Test
    void hooksAreForThisHostOnly() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseholdServer.over(store)
                        .listen(new InetSocketAddress("0.0.0.0", 0))
                        .agentHooks(directory)
                        .start())
                .withMessageContaining("this host only");
    }
}
