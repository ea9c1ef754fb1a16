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

        assertThat(hook("PreToolUse", "first", "Edit", path).toString()).doesNotContain("deny");
        assertThat(hook("PreToolUse", "second", "Edit", path).toString())
                .contains("deny")
                .contains("claude session first");
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
