package dev.leasehold.cli.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.CliRunner;
import dev.leasehold.cli.OnlyFromClasses;
import dev.leasehold.testkit.environment.Requires;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the plugin that is installed for opencode in Node, with the calls that opencode makes. */
@Requires("node")
@OnlyFromClasses("the launcher says where it is")
class OpencodePluginTest {
    private static final Path SESSION =
            Path.of(System.getProperty("leasehold.root"), "cli/src/test/opencode/session.mjs");

    @TempDir
    Path directory;

    @Test
    void aDenialAndEveryFailureThrowSoThatOpencodeRefusesTheCall() throws Exception {
        Path repo = Files.createDirectories(directory.resolve("repo/.git"))
                .getParent()
                .toRealPath();
        Files.writeString(repo.resolve("a.txt"), "one");
        CliRunner cli = CliRunner.withStore(directory.resolve("store"))
                .env("LEASEHOLD_AGENT_STATE", directory.resolve("state").toString())
                .env("HOME", directory.toString())
                .launchedFrom(directory)
                .in(repo);
        cli.script(directory);
        assertThat(cli.process("agent-hook", "install", "opencode").code()).isZero();
        Path plugin = repo.resolve(".opencode/plugin/leasehold.js");
        // Bun, which runs opencode, takes every file for a module.
        Files.writeString(plugin.resolveSibling("package.json"), "{\"type\":\"module\"}");
        Files.writeString(
                plugin.resolveSibling("broken.js"),
                Files.readString(plugin).replace(directory + "/leasehold", directory + "/gone"));

        assertThat(session(cli, plugin, repo))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("unread: refused a.txt exists, and you have not read it"),
                        line -> assertThat(line).isEqualTo("read: ok"),
                        line -> assertThat(line).isEqualTo("write: ok"),
                        line -> assertThat(line)
                                .startsWith("other session: refused a.txt is being edited by opencode session first"),
                        line -> assertThat(line).isEqualTo("subagent reads: ok"),
                        line -> assertThat(line).startsWith("subagent writes: ok your edit is not in a.txt"),
                        line -> assertThat(line).startsWith("after the stop: refused a.txt exists, and you have not"),
                        line -> assertThat(line).isEqualTo("client fails: refused the client of opencode failed"),
                        line -> assertThat(line).startsWith("store fails: refused the store of leases did not answer"),
                        line -> assertThat(line)
                                .startsWith("program is gone: refused")
                                .contains("gone"));
        assertThat(repo.resolve("a.txt")).hasContent("by a person");
    }

    private List<String> session(CliRunner cli, Path plugin, Path repo) throws Exception {
        Path err = directory.resolve("stderr");
        ProcessBuilder builder = new ProcessBuilder("node", SESSION.toString(), plugin.toString(), repo.toString())
                .redirectError(err.toFile());
        builder.environment().putAll(cli.environment());
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        return out.lines().toList();
    }
}
