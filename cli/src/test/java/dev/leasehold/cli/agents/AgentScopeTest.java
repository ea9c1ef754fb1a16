package dev.leasehold.cli.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.testkit.environment.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases are those of a worktree, and a warning may go beyond it. The store forgets files that are gone. */
@Requires("git")
class AgentScopeTest {
    @TempDir
    Path directory;

    private Path repo;
    private CliRunner cli;

    @BeforeEach
    void start() throws Exception {
        repo = Files.createDirectory(directory.resolve("repo")).toRealPath();
        cli = CliRunner.withStore(directory.resolve("store"))
                .env("LEASEHOLD_AGENT_STATE", directory.resolve("state").toString());
        git("init --quiet .");
        git("-c user.name=n -c user.email=n@example.org commit --quiet --allow-empty --message first");
    }

    private void git(String words) throws Exception {
        Process git = new ProcessBuilder("sh", "-c", "git " + words)
                .directory(repo.toFile())
                .inheritIO()
                .start();
        assertThat(git.waitFor()).isZero();
    }

    private String tell(String event, String session, Path cwd, String... options) {
        String[] args = new String[options.length + 2];
        args[0] = "agent-hook";
        args[1] = "claude";
        System.arraycopy(options, 0, args, 2, options.length);
        return cli.stdin("{\"hook_event_name\":\"" + event + "\",\"session_id\":\"" + session + "\",\"cwd\":\"" + cwd
                        + "\",\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":\"new.txt\",\"content\":\"x\"}}")
                .run(args)
                .out();
    }

    @Test
    void otherWorktreesAreWarnedOfIfThatIsWanted() throws Exception {
        git("worktree add --quiet ../other");
        Path other = directory.toRealPath().resolve("other");
        tell("PreToolUse", "first", repo, "--scope", "repository");

        assertThat(tell("PreToolUse", "second", other)).isEmpty();
        assertThat(tell("PreToolUse", "third", other)).contains("\"deny\"").contains("session second");
        tell("SessionEnd", "second", other);
        assertThat(tell("PreToolUse", "third", other, "--scope", "repository"))
                .contains("also being edited in another worktree, by claude session first")
                .doesNotContain("deny");
    }

    @Test
    void theNamesOfFilesThatAreGoneAreForgottenWhenASessionStarts() throws Exception {
        tell("PreToolUse", "first", repo);
        Path file = Files.writeString(repo.resolve("new.txt"), "x");
        tell("PostToolUse", "first", repo);
        tell("SessionEnd", "first", repo);
        assertThat(cli.run("status", "--json").out()).contains("agent-edit/");

        tell("SessionStart", "second", repo);
        assertThat(cli.run("status", "--json").out()).as("the file is there").contains("agent-edit/");
        Files.delete(file);
        tell("SessionStart", "second", repo);
        assertThat(cli.run("status", "--json").out()).doesNotContain("agent-edit/");
    }
}
