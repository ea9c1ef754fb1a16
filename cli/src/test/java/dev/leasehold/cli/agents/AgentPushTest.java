package dev.leasehold.cli.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plain push to a remote that has a fence is refused. */
@Requires("git")
class AgentPushTest {
    @TempDir
    Path directory;

    private Path fenced;
    private Path plain;
    private CliRunner cli;

    @BeforeEach
    void start() throws Exception {
        fenced = repository("fenced");
        plain = repository("plain");
        cli = CliRunner.withStore(directory.resolve("store"))
                .env("LEASEHOLD_AGENT_STATE", directory.resolve("state").toString())
                .in(fenced);
        assertThat(cli.process("run", "release", "--guard", "origin", "--", "true")
                        .code())
                .isZero();
    }

    private Path repository(String name) throws Exception {
        Path work = Files.createDirectories(directory.resolve(name)).toRealPath();
        git("init", "--quiet", "--bare", work + ".git");
        git("init", "--quiet", work.toString());
        git("-C", work.toString(), "remote", "add", "origin", "../" + name + ".git");
        return work;
    }

    private static void git(String... words) throws Exception {
        List<String> line = new java.util.ArrayList<>(List.of("git"));
        line.addAll(List.of(words));
        assertThat(new ProcessBuilder(line).inheritIO().start().waitFor()).isZero();
    }

    private String hook(Path cwd, String command) {
        return cli.stdin("{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\",\"cwd\":\"" + cwd
                        + "\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"" + command + "\"}}")
                .run("agent-hook", "claude")
                .out();
    }

    @Test
    void aPushToAFencedRemoteIsRefusedHoweverItIsWritten() {
        for (String push : List.of(
                "git push", "git push origin main", "make && /usr/bin/git -c a=b push --force", "sh -c 'git push'")) {
            assertThat(hook(fenced, push))
                    .as(push)
                    .contains("\"deny\"")
                    .contains("fenced by the lease release")
                    .contains("leasehold push");
        }
        for (String push : List.of(
                "git -C " + fenced + " push",
                "cd ../fenced && git push",
                "git push ../fenced.git main",
                "git push " + directory.resolve("fenced.git"))) {
            assertThat(hook(plain, push)).as(push).contains("\"deny\"");
        }
    }

    @Test
    void otherCommandsAndRemotesAreNot() {
        assertThat(hook(fenced, "git status && git pull")).isEmpty();
        assertThat(hook(fenced, "echo push")).isEmpty();
        assertThat(hook(plain, "git push origin main")).isEmpty();
        assertThat(hook(directory, "git push")).isEmpty();
    }
}
